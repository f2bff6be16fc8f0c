import type { ProcessHost } from '#process-engine/process.js';
import type { Researcher } from '#signals/detection/research/researcher.port.js';
import { credits as amount } from '#kernel/values/credits.js';
import type { Billing } from '#ledger/domain/books.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { addCap } from '#ledger/domain/set-caps.js';
import { everyPoint, killedAt, killedPoints, type Campaign } from '../support/killed-points.js';
import type { Lived } from '../support/mortal.js';
import { seededRandom } from '../support/seeded-random.js';
import type { Launched, LaunchOptions } from '../support/signal-house.js';
import {
  expectEnded,
  FEW,
  inOrder,
  isPriorityOne,
  MANY,
  SALES_IN_FRANCE,
  runUntil,
  networkObservations,
  type Expected,
} from '../support/signal-run-checks.js';
import { sharedHouse } from '../support/signal-house.js';
import { operatorContext } from '../support/system-context.js';

const SELF: Billing = { mode: 'self' };
const STRIDE = 5;

const house = sharedHouse((opened) => opened.ingest([...networkObservations(opened.now()), ...ICELANDERS]));

async function launchOfVariant({ billing, credits, options, cap }: Variant): Promise<Launched> {
  const workspaceId = await house.workspace(billing, credits);
  if (cap !== undefined) {
    const capId = await house.operator.ids.next('cap');
    const wanted = { capId, scope: 'workspace', scopeId: null, period: 'month', limit: amount(cap) } as const;
    const decision = addCap(wanted, 'operator');
    await house.decide(
      workspaceId,
      creditAccount,
      String(workspaceId),
      decision,
      operatorContext(workspaceId),
    );
  }
  return house.launch(workspaceId, await house.agent(workspaceId), options);
}

/** Works on the run until it is done or the process dies. */
const workUntil = ({ work }: Launched, fatalPoint: number, parts?: Partial<ProcessHost>): Promise<Lived> =>
  runUntil(house, work, fatalPoint, parts);

type Variant = {
  readonly title: string;
  readonly billing: Billing;
  readonly credits: number;
  /** The limit of a cap on the workspace; absent: no cap. */
  readonly cap?: number;
  readonly options: LaunchOptions;
  readonly expected: Expected;
};

const few = inOrder(FEW);
const many = inOrder(MANY);
const top = few.filter(isPriorityOne);
const FUNDED: Variant = {
  title: 'a funded run',
  billing: SELF,
  credits: 500,
  options: { keyword: 'ledgers' },
  expected: { outcome: 'completed', kept: few, paid: few, dropped: 0 },
};
const PARTIAL: Variant = {
  title: 'a run with money for three of five',
  billing: SELF,
  credits: 39,
  options: { keyword: 'ledgers' },
  expected: { outcome: 'completed_partial', kept: few.slice(0, 3), paid: few.slice(0, 3), dropped: 2 },
};
const QUOTED: Variant = {
  ...PARTIAL,
  title: 'a run whose quote covers three of five',
  credits: 500,
  options: { keyword: 'ledgers', quoted: 39 },
};
const CAPPED: Variant = {
  ...PARTIAL,
  title: 'a run of which a cap allows three of five',
  credits: 500,
  cap: 39,
};
const RANKED: Variant = {
  title: 'a run whose lower priority is free, with money for one of three',
  billing: SELF,
  credits: 10,
  options: { keyword: 'ledgers', persona: SALES_IN_FRANCE },
  expected: {
    outcome: 'completed_partial',
    kept: few.filter((subject) => !isPriorityOne(subject) || subject === top[0]),
    paid: top.slice(0, 1),
    dropped: top.length - 1,
  },
};
const PARTNER: Variant = {
  ...FUNDED,
  title: 'a run that a partner pays for',
  billing: { mode: 'partner', partnerId: 77 },
  credits: 0,
};
const EXEMPT: Variant = {
  ...FUNDED,
  title: 'a run of an exempt workspace',
  billing: { mode: 'exempt' },
  credits: 0,
  expected: { outcome: 'completed', kept: few, paid: [], dropped: 0 },
};
const BATCHES: Variant = {
  title: 'a run of 120 matches in several batches',
  billing: SELF,
  credits: 5_000,
  options: { keyword: 'archives' },
  expected: { outcome: 'completed', kept: many, paid: many, dropped: 0 },
};
const BATCHES_DRY: Variant = {
  ...BATCHES,
  title: 'a run of 120 matches with money for 70',
  credits: 709,
  expected: { outcome: 'completed_partial', kept: many.slice(0, 70), paid: many.slice(0, 70), dropped: 50 },
};

/** A question about the companies of Iceland: each of the first five says that it runs SAP. */
const ASKING: LaunchOptions = {
  keyword: '',
  persona: { ...SALES_IN_FRANCE, locations: ['Iceland'] },
  detection: {
    detectorKind: 'research',
    signalTypes: ['deepSearch'],
    parameters: { question: 'Does the company run SAP?' },
    audiences: ['market'],
  },
};
const ICELANDERS = ['1', '2', '3', '4', '5', 'quiet'].map((name) => ({
  kind: 'company',
  ref: `c:iceland-${name}`,
  handle: `iceland-${name}`,
  locations: [{ is_hq: true, country: 'Iceland' }],
  tagline: name === 'quiet' ? 'Fish' : `SAP number ${name}`,
}));
// The first 16 digits of the SHA-256 of ["does the company run sap?","yes_no",[]].
const subjects = ['1', '2', '3', '4', '5'].map((name) => `research:c:iceland-${name}:7f832f09ce166240:yes`);
const RESEARCH: Variant = {
  title: 'a run that asks a question',
  billing: SELF,
  credits: 500,
  options: ASKING,
  expected: { outcome: 'completed', kept: subjects, paid: subjects, dropped: 0 },
};
const RESEARCH_DRY: Variant = {
  ...RESEARCH,
  title: 'a run that asks a question, with money for three of five answers',
  credits: 39,
  expected: {
    outcome: 'completed_partial',
    kept: subjects.slice(0, 3),
    paid: subjects.slice(0, 3),
    dropped: 2,
  },
};

/** P21 P22 P23 A budget is opened once and closed once, and a reached cap is recorded once. */
async function expectLimits(launched: Launched, { options, cap }: Variant): Promise<void> {
  const own = await house.eventsSince(launched);
  const times = (type: string): number => own.filter((event) => event.type === type).length;
  const budgets = options.quoted === undefined ? 0 : 1;
  expect([times('BudgetOpened'), times('BudgetClosed')]).toEqual([budgets, budgets]);
  expect(times('CapReached')).toBe(cap === undefined ? 0 : 1);
}

/** A researcher with a cost: it answers yes, and records the companies it was asked about. */
const counting = (asked: string[]): Researcher => ({
  limits: { questionsAtOnce: 4, questionsPerRun: 1_000 },
  async research(_question, [passage]) {
    asked.push(passage?.ref ?? '');
    return { outcome: 'answered', answer: 'yes', evidence: [0] };
  },
});

/** Refs of the companies of a prepared batch. */
const candidatesOf = (data: { readonly [name: string]: unknown }): readonly string[] =>
  [data['candidates']]
    .flat()
    .map((candidate) => /^research:(c:[^:]+)/.exec(String(Object(candidate).subject))?.[1] ?? '');

const campaignOf = (variant: Variant, pointsOf: Campaign<Launched>['pointsOf']): Campaign<Launched> => ({
  pointsOf,
  begin: () => launchOfVariant(variant),
  workUntil,
  async check(launched) {
    await expectEnded(house, launched, variant.expected);
    await expectLimits(launched, variant);
  },
});

describe('a run whose worker dies', () => {
  const variants = [FUNDED, PARTIAL, QUOTED, CAPPED, RANKED, PARTNER, EXEMPT, RESEARCH, RESEARCH_DRY];
  for (const [index, variant] of variants.entries()) {
    it(`finishes once after the restart, wherever it died: ${variant.title}`, async () => {
      // Most points of the first, and other ones of each.
      const campaign = campaignOf(variant, (points) =>
        killedPoints(points, index === 0 ? 2 : STRIDE, 1 + (index % STRIDE)),
      );
      await killedAt({ ...campaign, morePointsThan: 50 });
    });
  }

  it('D-83 asks nothing again that was answered and stored, wherever it died', async () => {
    type Research = Launched & { readonly asked: string[] };
    const researchUntil = (launched: Research, fatalPoint: number): Promise<Lived> =>
      workUntil(launched, fatalPoint, { researcher: counting(launched.asked) });
    const questionsAgain = await killedAt({
      pointsOf: (points) => killedPoints(points, 9, 3),
      begin: async (): Promise<Research> => ({ ...(await launchOfVariant(RESEARCH)), asked: [] }),
      workUntil: researchUntil,
      async finish(launched) {
        const kept: string[] = [];
        for (const { type, data } of await house.eventsAfter(launched.before))
          if (type === 'CandidatesFound') kept.push(...candidatesOf(data));
        const askedBefore = launched.asked.length;
        expect((await researchUntil(launched, Infinity)).died).toBe(false);
        expect(launched.asked.slice(askedBefore).filter((ref) => kept.includes(ref))).toEqual([]);
        return launched.asked.length - 5;
      },
      async check(launched) {
        await expectEnded(house, launched, RESEARCH.expected);
        expect(new Set(launched.asked).size).toBe(5);
      },
    });
    // Some died between an answer and its batch, and none had asked about more than four companies by then.
    expect(Math.max(...questionsAgain)).toBeGreaterThan(0);
  });

  for (const variant of [BATCHES, BATCHES_DRY]) {
    it(`finishes once after the restart, wherever it died (every 41st point): ${variant.title}`, async () => {
      await killedAt(campaignOf(variant, (points) => everyPoint(points, 41, 7)));
    });
  }

  for (const variant of [PARTIAL, BATCHES_DRY]) {
    it(`again and again finishes once all the same: ${variant.title}`, async () => {
      const { points } = await workUntil(await launchOfVariant(variant), Infinity);
      let deaths = 0;
      for (const seed of [1, 2, 3]) {
        const random = seededRandom(seed);
        const launched = await launchOfVariant(variant);
        // Some lives are long enough for progress; none is as long as the whole run.
        while ((await workUntil(launched, 1 + Math.floor(random() * points * 0.9))).died) deaths += 1;
        await expectEnded(house, launched, variant.expected);
      }
      expect(deaths).toBeGreaterThan(3);
    });
  }
});
