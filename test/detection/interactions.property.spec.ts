import fc from 'fast-check';
import type { JsonValue } from '#kernel/values/json.js';
import { agentTypes } from '#signals/domain/agents/agent-types.js';
import { shippedCatalogue, templatesOf } from '#catalogue/domain/templates/catalogue-file.js';
import { isSignalType } from '#signals/domain/runs/signal-types.js';
import type { Detector } from '#signals/detection/detector.js';
import { engagementDetector } from '#signals/detection/engagement.detector.js';
import { interactionsDetector } from '#signals/detection/interactions.detector.js';
import { sampleRun } from '#signals/detection/testing/sample-run.js';
import type { NetworkStore } from '#network/network-store.js';
import { naiveInteractions, type NaiveRun, type NaiveSignal, type Observed } from './naive-interactions.js';
import { onWholeNetwork } from './on-network.js';

const NOW = '2026-03-01T12:00:00.000Z';
const HOUR_MS = 3_600_000;
const OF_PEOPLE = ['influencer', 'champion', 'employee'];

const from = <const Value>(...values: readonly Value[]) => fc.constantFrom(...values);
/** undefined: the field is left out. */
const maybe = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { freq: 12, nil: undefined });

/** Also at the edges of the window, outside it, and the same moment more than once. */
const date = from(-24, 0, 0, 1, 1, 2, 3, 4, 5, 24, 24 * 29, 24 * 30, 24 * 31).map((hoursAgo) =>
  new Date(Date.parse(NOW) - hoursAgo * HOUR_MS).toISOString(),
);
const rev = fc.integer({ min: 1, max: 3 });
const companyRef = from('c:a', 'c:b', 'c:c');
const personRef = from('p:1', 'p:2', 'p:3', 'p:4', 'p:5', 'p:6', 'p:7', 'p:8');
const title = from('Account Executive', 'VP Sales', 'Engineer');
const text = from('crm', 'our CRM, and more', 'weather', '  ok  ', '');

const person = fc.record({
  kind: fc.constant('person'),
  ref: personRef,
  rev,
  experiences: maybe(
    fc.uniqueArray(
      fc.record({
        title,
        company_ref: fc.oneof(companyRef, companyRef, companyRef, companyRef, fc.constant('c:unknown')),
        start_date: from('2020', '2021', '2022'),
        end_date: from(null, null, null, null, '2023'),
      }),
      { maxLength: 2, selector: ({ start_date }) => start_date },
    ),
  ),
  geo: fc.constant({ country: 'France' }),
});
const author = maybe(
  fc.oneof(personRef, personRef, personRef, personRef, personRef, companyRef, from('p:unknown')),
);
const post = fc.record({
  kind: fc.constant('post'),
  ref: from('t1', 't2', 't3', 't4', 't5', 't6', 't7', 't8'),
  rev,
  author_ref: author,
  text: maybe(text),
  published_at: maybe(date),
});
/** On posts, on comments (some of which answer each other in a circle), and on unobserved items. */
const comment = fc.record({
  kind: fc.constant('comment'),
  ref: fc.integer({ min: 1, max: 40 }).map((number) => `x${number}`),
  rev,
  post_ref: from('t1', 't2', 't3', 't4', 't5', 't6', 't7', 't8', 'x1', 'x2', 'x3', 't9'),
  author_ref: author,
  text: maybe(text),
  published_at: maybe(date),
});
const reaction = fc.record({
  kind: fc.constant('reaction'),
  // One has the name of a comment.
  ref: fc.oneof(
    fc.integer({ min: 1, max: 15 }).map((number) => `l${number}`),
    fc.constant('x9'),
  ),
  rev,
  post_ref: from('t1', 't2', 't3', 't4', 't5', 't6', 'x2'),
  author_ref: author,
  reaction: from('like', 'celebrate'),
  reacted_at: maybe(date),
});

/** Listed people and accounts are known (D-14); the others may work for an unobserved company. */
const COMPANIES: readonly Observed[] = ['a', 'b', 'c'].map((name) => ({
  kind: 'company',
  ref: `c:${name}`,
  handle: `c-${name}`,
  rev: 1,
}));

/** In any order; each revision has one content. */
const network = fc
  .array(fc.oneof(person, person, post, post, comment, comment, comment, comment, reaction, reaction), {
    minLength: 200,
    maxLength: 240,
    size: 'max',
  })
  .map((observations): readonly Observed[] => {
    const seen = new Map<string, Observed>();
    for (const observed of observations) {
      const key = `${observed.kind} ${observed.ref} ${observed.rev}`;
      const handle = observed.kind === 'person' ? { handle: observed.ref.replace(':', '-') } : {};
      if (!seen.has(key)) seen.set(key, { ...observed, ...handle });
    }
    return [...seen.values(), ...COMPANIES];
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
    lookbackDays: from(1, 30, 30, 30),
    direction: from('inbound', 'outbound'),
    watch,
    parameters: fc.record(
      {
        interactions: from([], ['comment'], ['reaction'], ['comment', 'reaction']),
        min_comment_length: from(0, 2, 3),
        directions: from([], ['inbound'], ['outbound'], ['inbound', 'outbound'], ['inbound', 'outbound']),
        filter_posts: fc.boolean(),
        topics: from(['crm'], ['weather', 'ok'], []),
      },
      { requiredKeys: [] },
    ),
    teamTitles: from(['Account Executive'], ['executive', 'sales'], ['engineer', 'vp sales'], ['Nobody']),
    companies: from(['c:a'], ['c:a'], ['c:a', 'c:b'], ['c:b', 'c:c']),
    people: from(['p:1', 'p:2', 'p:3'], ['p:3', 'p:4'], ['p:1', 'p:4', 'p:unknown']),
    employees: from([], [], ['p:5'], ['p:1', 'p:6']),
    topAccounts: from(['c:b', 'c:c'], ['c:a', 'c:c'], ['c:a', 'c:b', 'c:c'], []),
    covered: from([], ['c:b', 'c:a'], ['c:b', 'c:c']),
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
      // Agents have neither these parameters nor a persona.
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

describe('the detectors of interactions on random networks', () => {
  it('D-09 D-11 D-12 D-13 D-15 D-17 D-29 D-40 D-44 find what a naive reading of their rules finds', async () => {
    const [found, sorts]: [number[], Set<string>] = [[], new Set()];
    await fc.assert(
      fc.asyncProperty(network, fc.array(run, { minLength: 20, maxLength: 20 }), (observations, runs) =>
        onWholeNetwork(observations, async (store) => {
          for (const asked of runs) {
            const expected = naiveInteractions(observations, asked);
            expect(await foundIn(store, asked)).toEqual(expected);
            found.push(expected.length);
            for (const { subject, priced } of expected) sorts.add(`${subject.split(':')[0]} ${priced}`);
          }
        }),
      ),
      { numRuns: 90, seed: 12 },
    );
    // Every signal was found, and most of them both paid and free.
    expect(found.filter((count) => count > 1).length).toBeGreaterThan(100);
    const ofSort = (isPriced: boolean) =>
      [...sorts].filter((sort) => sort.endsWith(String(isPriced))).map((sort) => sort.split(' ')[0]);
    expect(new Set(ofSort(false))).toEqual(new Set(engagementDetector.signalTypes));
    expect(ofSort(true).length).toBeGreaterThan(10);
  });

  it('D-17 ten thousand comments without author, circles of comments and endless texts change no answer except their own', async () => {
    const at = (minute: number): string => new Date(Date.parse(NOW) - minute * 60_000).toISOString();
    const employed = (ref: string, company_ref: string): Observed => ({
      kind: 'person',
      ref,
      rev: 1,
      handle: ref.replace(':', '-'),
      experiences: [{ title: 'Account Executive', company_ref, start_date: '2020', end_date: null }],
    });
    const said = (ref: string, author_ref: string | null, minute: number, more: object = {}): Observed => ({
      kind: 'comment',
      ref,
      rev: 1,
      post_ref: 't1',
      author_ref,
      text: 'crm',
      published_at: at(minute),
      ...more,
    });
    const observations = [
      ...COMPANIES,
      employed('p:1', 'c:a'),
      employed('p:2', 'c:b'),
      { kind: 'post', ref: 't1', rev: 1, author_ref: 'p:1', text: 'x'.repeat(64 * 1024) },
      ...Array.from({ length: 10_000 }, (_, index) =>
        said(`nobody-${index}`, index % 2 === 0 ? null : 'p:unknown', 5_000 + index),
      ),
      said('circle-1', 'p:2', 10, { post_ref: 'circle-2' }),
      said('circle-2', 'p:2', 10, { post_ref: 'circle-1' }),
      said('self', 'p:2', 10),
      said('self', 'p:2', 10, { rev: 2, post_ref: 'self' }),
      said('undated', 'p:2', 10, { published_at: null }),
      said('first', 'p:2', 20_000),
      said('amid', 'p:2', 9_000),
      said('answer', 'p:2', 4, { post_ref: 'amid' }),
      said('long', 'p:2', 3, { text: 'é'.repeat(64 * 1024) }),
    ];
    const asked: NaiveRun = {
      now: NOW,
      lookbackDays: 30,
      direction: 'inbound',
      watch: { of: 'agent', type: 'competitor', mode: 'lead_discovery' },
      parameters: {},
      teamTitles: ['Account Executive'],
      listed: ['c:a'],
      employees: [],
      topAccounts: [],
      covered: [],
      isPass: false,
      personaTitles: null,
      surfacedBefore: [],
    };
    const found = await onWholeNetwork(observations, (store) => foundIn(store, asked));
    expect(found.map(({ subject }) => subject.split(':')[1])).toEqual(['first', 'amid', 'answer', 'long']);
  });
});
