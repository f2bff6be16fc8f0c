import { executeSignalRun } from '#signals/runs/execute-signal-run.process.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { agentTypes } from '#signals/domain/agents/agent-types.js';
import { creditBalances } from '#projections/ledger/credit-balances/credit-balances.projection.js';
import {
  employed,
  observedComment,
  observedCompany,
  observedPerson,
  observedPost,
  observedReaction,
} from '../support/observed-network.js';
import { dueItems } from '#process-engine/to-do.js';
import { everyPoint, killedAt, killedPoints } from '../support/killed-points.js';
import { untilDeath, type Lived } from '../support/mortal.js';
import { watchedList } from '../support/watched-scene.js';
import { sharedHouse, type Launched } from '../support/signal-house.js';

const NEVER = new AbortController().signal;
const at = (hour: number): string => `2026-02-20T${String(hour).padStart(2, '0')}:00:00.000Z`;
const POST_AT = '2025-06-01T09:00:00Z';

/** Comments in several batches, by Ana, Eve and Fay in turn. */
const ON_LU = Array.from({ length: 120 }, (_, index) => {
  const author = ['ana', 'eve', 'fay'][index % 3] ?? '';
  return [`lu-${String(index).padStart(3, '0')}`, author] as const;
});

const house = sharedHouse((opened) =>
  opened.ingest([
    ...['acme', 'rival', 'busy', 'elsewhere'].map((handle) => observedCompany(handle)),
    observedPerson('lu', employed('busy', 'Account Executive')),
    observedPost('of-lu', 'lu', 'Who is in?', POST_AT),
    ...ON_LU.map(([name, author]) => observedComment(name, author, 'of-lu', 'Me', at(7))),
    observedPerson('bo', employed('rival', 'Account Executive')),
    observedPerson('ana', employed('acme', 'VP Sales')),
    observedPerson('eve', employed('elsewhere', 'CTO')),
    observedPerson('fay', employed('elsewhere', 'CFO')),
    ...['bo', 'ana', 'eve', 'fay'].map((name) => observedPost(`of-${name}`, name, 'We grow', POST_AT)),
    observedComment('1', 'ana', 'of-bo', 'One', at(1)),
    observedComment('2', 'eve', 'of-bo', 'Two', at(2)),
    observedReaction('3', 'ana', 'of-bo', at(3)),
    observedComment('4', 'bo', 'of-ana', 'Four', at(4)),
    observedReaction('5', 'bo', 'of-fay', at(5)),
    observedComment('6', 'bo', 'of-eve', 'Six', at(6)),
  ]),
);

async function launchIn(credits: number, competitor = 'rival'): Promise<Launched> {
  const workspaceId = await house.workspace({ mode: 'self' }, credits);
  const found = agentTypes.competitor.detection({ mode: 'lead_discovery' });
  if (found === null) throw new Error('a competitor discovers leads');
  const { detector: detectorKind, isPriced: _, directions, ...detection } = found;
  return house.launch(workspaceId, await house.agent(workspaceId), {
    keyword: '',
    directions,
    detection: {
      ...detection,
      detectorKind,
      parameters: {},
      targetTitles: ['Account Executive'],
      scope: await watchedList(house, workspaceId, { type: 'competitor', handles: [competitor] }),
    },
  });
}

/** One worker does what is due of this launch, until nothing is left or it dies. */
const workUntil = ({ workspaceId }: Launched, fatalPoint: number): Promise<Lived> =>
  untilDeath(fatalPoint, async (life) => {
    const host = house.worker(life);
    for (;;) {
      await house.caughtUp();
      const due = await dueItems(house.reads, executeSignalRun.toDo, house.now(), 8, workspaceId);
      if (due.length > 1) throw new Error('the directions are due one after the other');
      const [next] = due;
      if (next === undefined) return;
      await executeSignalRun.act(host, next, NEVER);
    }
  });

/** The result of a launch as text. */
async function resultOf(launched: Launched) {
  const { workspaceId, work, works } = launched;
  await house.caughtUp();
  const own = await house.eventsSince(launched);
  const ofType = (type: string): readonly StoredEvent[] => own.filter((event) => event.type === type);
  const keys = new Map(
    ofType('CreditsHeld').map(({ data }) => [Number(data['movementId']), String(data['key'])]),
  );
  const personOf = (movementId: unknown): string | null =>
    movementId === null
      ? null
      : (keys.get(Number(movementId))?.replace(`launch:${work.launchId}:lead:`, '') ?? '?');
  const balance = await house.reads.get(creditBalances, String(workspaceId));
  return {
    runs: works.map(({ runId }) => ({
      found: ofType('SignalDetected')
        .filter(({ data }) => data['runId'] === runId)
        .map(({ data }) => [data['subject'], personOf(data['movementId'])]),
      ends: ofType('RunEnded').flatMap(({ data }) =>
        data['runId'] === runId
          ? [[data['outcome'], data['matchesFound'], data['matchesDropped'], data['creditsSpent']]]
          : [],
      ),
    })),
    held: [...keys.values()].map((key) => key.replace(`launch:${work.launchId}:lead:`, '')),
    captured: ofType('CreditsCaptured').map(({ data }) => personOf(data['movementId'])),
    released: ofType('CreditsReleased').length,
    open: balance?.held,
  };
}

const INBOUND = [
  ['leadCommentedCompetitorContent:comment:1', 'p:ana'],
  ['leadCommentedCompetitorContent:comment:2', 'p:eve'],
  ['leadLikedCompetitorContent:reaction:3', 'p:ana'],
] as const;
const OUTBOUND = [
  ['networkComment:comment:4', 'p:ana'],
  ['networkReaction:reaction:5', 'p:fay'],
  ['networkComment:comment:6', 'p:eve'],
] as const;
const PAID_FOR = (...people: readonly string[]) => {
  const of = <Row extends readonly [string, string]>(rows: readonly Row[]): readonly Row[] =>
    rows.filter(([, person]) => people.includes(person));
  return { inbound: of(INBOUND), outbound: of(OUTBOUND) };
};

/** Each movement is spent by the run that made it. */
const expected = (credits: number) => {
  const people = ['p:ana', 'p:eve', 'p:fay'].slice(0, Math.floor(credits / 10));
  const { inbound, outbound } = PAID_FOR(...people);
  const endOf = (found: number, made: number) => [
    found < 3 ? 'completed_partial' : 'completed',
    found,
    3 - found,
    String(made * 10_000_000),
  ];
  const madeInbound = Math.min(people.length, 2);
  return {
    runs: [
      { found: inbound, ends: [endOf(inbound.length, madeInbound)] },
      { found: outbound, ends: [endOf(outbound.length, people.length - madeInbound)] },
    ],
    held: people,
    captured: people,
    released: 0,
    open: '0',
  };
};

describe('lead discovery whose worker dies', () => {
  for (const [title, credits, step] of [
    ['with money for everybody', 100, 2],
    ['with money for one of three people', 19, 3],
    ['with money for two of three people (every fifth point)', 20, 5],
  ] as const) {
    it(`D-44 pays for the same people once, wherever it died: ${title}`, async () => {
      const begin = () => launchIn(credits);
      const check = async (launched: Launched) => expect(await resultOf(launched)).toEqual(expected(credits));
      const pointsOf = (points: number) => killedPoints(points, step);
      await killedAt({ begin, workUntil, check, pointsOf, morePointsThan: 100 });
    });
  }

  it('D-44 a dry run keeps detections of later batches about people who are paid for (every 37th point)', async () => {
    const kept = ON_LU.filter(([, author]) => author === 'ana').map(([name, author]) => [
      `leadCommentedCompetitorContent:comment:${name}`,
      `p:${author}`,
    ]);
    const all = {
      runs: [
        { found: kept, ends: [['completed_partial', 40, 80, '10000000']] },
        { found: [], ends: [['completed', 0, 0, '0']] },
      ],
      held: ['p:ana'],
      captured: ['p:ana'],
      released: 0,
      open: '0',
    };
    const begin = () => launchIn(19, 'busy');
    const check = async (launched: Launched) => expect(await resultOf(launched)).toEqual(all);
    await killedAt({ begin, workUntil, check, pointsOf: (points) => everyPoint(points, 37, 11) });
  });
});
