import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { JsonValue } from '#kernel/values/json.js';
import { agentTypes } from '#domain/agents/agent-types.js';
import { shippedCatalogue, templatesOf } from '#domain/catalogue/catalogue-file.js';
import { isSignalType } from '#domain/signal-runs/signal-types.js';
import type { Detector } from '#detection/detector.js';
import { engagementDetector } from '#detection/engagement.detector.js';
import { interactionsDetector } from '#detection/interactions.detector.js';
import { sampleRun } from '#detection/testing/sample-run.js';
import type { NetworkStore } from '#network/network-store.js';
import { openSqliteNetwork } from '#network/sqlite/open-sqlite-network.js';
import { naiveInteractions, type NaiveRun, type NaiveSignal, type Observed } from './naive-interactions.js';

const NOW = '2026-03-01T12:00:00.000Z';
const HOUR_MS = 3_600_000;
const OF_PEOPLE = ['influencer', 'champion', 'employee'];

const from = <const Value>(...values: readonly Value[]) => fc.constantFrom(...values);
/** undefined: the field is left out. */
const maybe = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { freq: 5, nil: undefined });

/** Also on the edges of the window, beyond it, and the same moment more than once. */
const date = from(-24, 0, 0, 1, 1, 2, 24, 24 * 29, 24 * 30, 24 * 31).map((hoursAgo) =>
  new Date(Date.parse(NOW) - hoursAgo * HOUR_MS).toISOString(),
);
const rev = fc.integer({ min: 1, max: 3 });
const companyRef = from('c:a', 'c:b', 'c:c');
const personRef = from('p:1', 'p:2', 'p:3', 'p:4', 'p:5', 'p:6');
const title = from('Account Executive', 'VP Sales', 'Engineer');
const text = from('crm', 'our CRM, and more', 'weather', '  ok  ', '', 'x'.repeat(70_000));

const company = fc.record({ kind: fc.constant('company'), ref: companyRef, rev });
const person = fc.record({
  kind: fc.constant('person'),
  ref: personRef,
  rev,
  experiences: maybe(
    fc.uniqueArray(
      fc.record({
        title,
        company_ref: fc.oneof(companyRef, companyRef, fc.constant('c:unknown')),
        start_date: from('2020', '2021', '2022'),
        end_date: from(null, null, null, '2023'),
      }),
      { maxLength: 2, selector: ({ start_date }) => start_date },
    ),
  ),
  geo: fc.constant({ country: 'France' }),
});
const author = maybe(fc.oneof(personRef, personRef, personRef, personRef, companyRef, from('p:unknown')));
const post = fc.record({
  kind: fc.constant('post'),
  ref: from('t1', 't2', 't3', 't4', 't5'),
  rev,
  author_ref: author,
  text: maybe(text),
  published_at: maybe(date),
});
/** On posts, on comments of which some answer each other in a circle, and on what nobody has seen. */
const comment = fc.record({
  kind: fc.constant('comment'),
  ref: from('x1', 'x2', 'x3', 'x4', 'x5', 'x6', 'x7', 'x8'),
  rev,
  post_ref: from('t1', 't1', 't2', 't2', 't3', 't4', 't5', 'x1', 'x2', 'x3', 't9'),
  author_ref: author,
  text: maybe(text),
  published_at: maybe(date),
});
const reaction = fc.record({
  kind: fc.constant('reaction'),
  // One has the name of a comment.
  ref: from('l1', 'l2', 'l3', 'l4', 'x1'),
  rev,
  post_ref: from('t1', 't2', 't3', 't4', 'x2'),
  author_ref: author,
  reaction: from('like', 'celebrate'),
  reacted_at: maybe(date),
});

/** In any order; what is observed has one content for each revision. */
const network = fc
  .array(fc.oneof(company, person, person, person, post, post, comment, comment, comment, reaction), {
    minLength: 50,
    maxLength: 80,
    size: 'max',
  })
  .map((observations): readonly Observed[] => {
    const seen = new Map<string, Observed>();
    for (const observed of observations) {
      const key = `${observed.kind} ${observed.ref} ${observed.rev}`;
      if (!seen.has(key))
        seen.set(
          key,
          observed.kind === 'company' || observed.kind === 'person'
            ? { ...observed, handle: observed.ref.replace(':', '-') }
            : observed,
        );
    }
    return [...seen.values()];
  });

const watch: fc.Arbitrary<NaiveRun['watch']> = fc.oneof(
  fc.record({
    of: fc.constant('agent' as const),
    type: fc.constant('competitor' as const),
    mode: from('lead_discovery', 'account_monitoring', 'all'),
  }),
  fc.record({
    of: fc.constant('agent' as const),
    type: from('partner', 'customer', 'influencer', 'champion'),
  }),
  fc.record({
    of: fc.constant('setup' as const),
    template: from(
      'competitor-content-engagement',
      'competitor-team-activity',
      'competitor-top-account-interactions',
      'partner-interactions',
      'customer-interactions',
      'influencer-engagement',
      'champion-interactions',
      'own-content-engagement',
    ),
  }),
);
const run: fc.Arbitrary<NaiveRun> = fc
  .record({
    now: fc.constant(NOW),
    lookbackDays: from(1, 30, 30),
    direction: from('inbound', 'outbound'),
    watch,
    parameters: fc.record(
      {
        interactions: from([], ['comment'], ['reaction'], ['comment', 'reaction']),
        min_comment_length: from(0, 2, 3),
        directions: from([], ['inbound'], ['outbound'], ['inbound', 'outbound']),
        filter_posts: fc.boolean(),
        topics: from(['crm'], ['weather', 'ok'], []),
      },
      { requiredKeys: [] },
    ),
    teamTitles: from(['Account Executive'], ['executive', 'sales'], ['Nobody']),
    companies: from(['c:a'], ['c:a', 'c:b'], []),
    people: from(['p:1', 'p:2'], ['p:3'], ['p:1', 'p:4', 'p:unknown']),
    employees: from([], [], ['p:5'], ['p:1', 'p:6']),
    topAccounts: from(['c:b'], ['c:b', 'c:c'], ['c:a', 'c:b', 'c:c'], []),
    covered: from([], ['c:b'], ['c:b', 'c:c']),
    isPass: from(false, false, true),
    personaTitles: from(['sales'], ['sales'], null),
    surfacedBefore: from([], ['p:3', 'p:5'], ['p:1', 'p:2']),
  })
  .map(({ companies, people, ...asked }) => {
    const { watch: watched } = asked;
    const name = watched.of === 'agent' ? watched.type : watched.template;
    const isOfPeople = OF_PEOPLE.some((type) => name.startsWith(type)) || name.startsWith('own');
    const isPass = watched.of === 'setup' && asked.isPass;
    return {
      ...asked,
      listed: isOfPeople ? people : companies,
      isPass,
      // Agents have neither parameters like these nor a persona.
      ...(watched.of === 'agent' && { parameters: {}, personaTitles: null, covered: [] }),
    };
  });

/** What the row of the agent, or the template of the shipped catalogue, asks of its detector. */
function askedOf({ watch: watched, topAccounts, covered, isPass }: NaiveRun): {
  readonly detector: Detector;
  readonly signalTypes: readonly string[];
  readonly accounts: readonly string[] | null;
} {
  if (watched.of === 'agent') {
    const row = agentTypes[watched.type];
    const detection = row.detection(watched.type === 'competitor' ? { mode: watched.mode } : {});
    return {
      detector: interactionsDetector,
      signalTypes: detection?.signalTypes ?? [],
      accounts: topAccounts,
    };
  }
  const template = templatesOf(shippedCatalogue()).find(({ key }) => key === watched.template);
  const isOfTop = template?.content.detector.requiresTopAccounts === true;
  return {
    detector: engagementDetector,
    signalTypes: template?.content.detector.signalTypes ?? [],
    accounts: isOfTop ? covered.filter((ref) => topAccounts.includes(ref)) : isPass ? covered : null,
  };
}

async function foundIn(store: NetworkStore, asked: NaiveRun): Promise<readonly NaiveSignal[]> {
  const { detector, signalTypes, accounts } = askedOf(asked);
  const { watch: watched, listed, personaTitles } = asked;
  const isOf = (kind: string) => listed.filter((ref) => ref.startsWith(kind));
  const hasTeam =
    (watched.of === 'agent' && watched.type === 'competitor') || signalTypes.includes('networkComment');
  const found: NaiveSignal[] = [];
  for (let resume: JsonValue = null; ;) {
    const page = await detector.find(
      sampleRun({
        now: new Date(asked.now),
        lookbackDays: asked.lookbackDays,
        direction: asked.direction,
        signalTypes: signalTypes.filter(isSignalType),
        parameters: JSON.parse(JSON.stringify(asked.parameters)),
        targetTitles: hasTeam ? asked.teamTitles : null,
        persona:
          personaTitles === null
            ? null
            : {
                personaId: 1,
                jobTitles: personaTitles,
                excludeJobTitles: [],
                locations: ['France'],
                seniorities: [],
                headcounts: [],
                industries: [],
              },
        source: store.source,
        directory: store.directory,
        watched: {
          members: async () => ({ companyRefs: isOf('c:'), personRefs: isOf('p:') }),
          colleagues: async () => new Set(asked.employees),
          topAccounts: async () => asked.topAccounts,
          covered: async () => new Set(asked.covered),
          accounts: async () => accounts,
        },
        surfacedBefore: async (people) =>
          new Set(people.map(({ ref }) => ref).filter((ref) => asked.surfacedBefore.includes(ref))),
        known: async (subjects) =>
          new Set(subjects.filter((subject) => found.some((one) => one.subject === subject))),
      }),
      resume,
      3,
    );
    for (const { subject, chargeKey, priced, signalDate, lead, company: about } of page.matches)
      found.push({
        subject,
        chargeKey,
        priced,
        signalDate: signalDate ?? '',
        lead: refIn(lead),
        company: about && refIn(about),
      });
    if (!page.more) return found;
    resume = page.resume;
  }
}

const refIn = (seen: { readonly identity: string } | null): string =>
  (seen?.identity ?? '').replace('handle:', '').replace('-', ':');

async function ingested(folder: string, observations: readonly Observed[]): Promise<NetworkStore> {
  const store = await openSqliteNetwork({
    path: join(folder, 'network.db'),
    networkBaseUrl: 'https://n.example',
  });
  const { rejected } = await store.ingest(
    (async function* () {
      for (const observation of observations) yield Buffer.from(`${JSON.stringify(observation)}\n`);
    })(),
    {},
  );
  expect(rejected).toEqual([]);
  return store;
}

describe('the detectors of interactions on random networks', () => {
  it('D-09 D-11 D-12 D-13 D-15 D-17 D-29 D-40 D-44 find what a naive reading of their rules finds', async () => {
    const [found, sorts]: [number[], Set<string>] = [[], new Set()];
    await fc.assert(
      fc.asyncProperty(
        network,
        fc.array(run, { minLength: 12, maxLength: 12 }),
        async (observations, runs) => {
          const folder = mkdtempSync(join(tmpdir(), 'interactions-'));
          const store = await ingested(folder, observations);
          try {
            for (const asked of runs) {
              const expected = naiveInteractions(observations, asked);
              expect(await foundIn(store, asked)).toEqual(expected);
              found.push(expected.length);
              for (const { subject, priced } of expected) sorts.add(`${subject.split(':')[0]} ${priced}`);
            }
          } finally {
            await store.close();
            rmSync(folder, { recursive: true, force: true });
          }
        },
      ),
      { numRuns: 100, seed: 12 },
    );
    // Every signal type was found, priced and free where it can be either.
    expect(found.filter((count) => count > 1).length).toBeGreaterThan(100);
    expect([...sorts].filter((sort) => sort.startsWith('lead') || sort.startsWith('network')).sort()).toEqual(
      [
        ...['leadCommentedCompetitorContent', 'leadCommentedOwnContent', 'leadLikedCompetitorContent'],
        ...['leadLikedOwnContent', 'networkComment', 'networkReaction'],
      ].flatMap((type) => [`${type} false`, `${type} true`]),
    );
    for (const side of ['Inbound', 'Outbound'])
      for (const type of ['competitor', 'partner', 'customer', 'influencer', 'champion'])
        expect([...sorts]).toContain(`${type}${side}Comment false`);
  });
});
