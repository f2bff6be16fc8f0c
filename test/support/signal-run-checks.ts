import { fromStored, toStored } from '#kernel/values/credits.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { isRecord } from './records.js';
import { ledgerVerify } from '#ledger/commands/ledger-verify.js';
import { executeSignalRun } from '#signals/runs/execute-signal-run.process.js';
import type { ProcessHost } from '#process-engine/process.js';
import { dueItems } from '#process-engine/to-do.js';
import { creditBalances } from '#projections/ledger/credit-balances/credit-balances.projection.js';
import { detections } from '#projections/signals/detections/detections.projection.js';
import { untilDeath, type Lived } from './mortal.js';
import {
  PRICE,
  sharedHouse,
  type Launched,
  type LaunchOptions,
  type RunWork,
  type SignalHouse,
} from './signal-house.js';
import { samplePersona } from '#signals/detection/testing/sample-run.js';

const DAY_MS = 86_400_000;
const NEVER = new AbortController().signal;

export const SALES_IN_FRANCE = samplePersona();

type Person = { readonly ref: string; readonly title: string; readonly country: string };
const PEOPLE: readonly Person[] = [
  { ref: 'p:ana', title: 'VP Sales', country: 'France' },
  { ref: 'p:bo', title: 'Sales Director', country: 'France' },
  { ref: 'p:cy', title: 'Gardener', country: 'France' },
  { ref: 'p:di', title: 'Head of Sales', country: 'Japan' },
];

type Post = {
  readonly ref: string;
  readonly author: string;
  readonly keyword: string;
  readonly minutesAgo: number;
};

/** Two posts share a moment, so that the order by ref shows; one is by a company, two by one person. */
export const FEW: readonly Post[] = [
  { ref: 'post:few-5', author: 'p:ana', keyword: 'ledgers', minutesAgo: 500 },
  { ref: 'post:few-2', author: 'p:bo', keyword: 'ledgers', minutesAgo: 300 },
  { ref: 'post:few-1', author: 'p:cy', keyword: 'ledgers', minutesAgo: 300 },
  { ref: 'post:few-3', author: 'c:acme', keyword: 'ledgers', minutesAgo: 200 },
  { ref: 'post:few-4', author: 'p:ana', keyword: 'ledgers', minutesAgo: 100 },
];
export const MANY: readonly Post[] = Array.from({ length: 120 }, (_, index) => ({
  ref: `post:many-${String(index).padStart(3, '0')}`,
  author: PEOPLE[index % PEOPLE.length]?.ref ?? '',
  keyword: 'archives',
  minutesAgo: 1_000 + ((index * 37) % 120),
}));

/** The observed network: the posts above among others that mention something else. */
export function networkObservations(now: Date): readonly object[] {
  const company = {
    kind: 'company',
    ref: 'c:acme',
    rev: 1,
    handle: 'acme',
    domains: ['acme.example'],
    name: 'Acme',
  };
  const people = PEOPLE.map(({ ref, title, country }) => ({
    kind: 'person',
    ref,
    rev: 1,
    handle: ref.slice(2),
    first_name: ref,
    last_name: 'Test',
    geo: { city: null, region: null, country, country_code: null },
    experiences: [{ title, company_ref: 'c:acme', company_name: 'Acme', start_date: '2024', end_date: null }],
  }));
  const others = MANY.map((post) => ({ ...post, ref: `${post.ref}-other`, keyword: 'weather' }));
  const posts = [...FEW, ...MANY, ...others].map(({ ref, author, keyword, minutesAgo }) => ({
    kind: 'post',
    ref,
    rev: 1,
    author_ref: author,
    url: `https://www.network.example/${ref}`,
    text: `Some words about ${keyword} and more.`,
    published_at: new Date(now.getTime() - DAY_MS - minutesAgo * 60_000).toISOString(),
  }));
  return [company, ...people, ...posts];
}

/** One house for all cases of this `describe` (or file), with the observed network. */
export const sharedHouseOfPosts = (): SignalHouse =>
  sharedHouse((house) => house.ingest(networkObservations(house.now())));

/** A run of a new agent in a new workspace with these credits. */
export async function launchFunded(
  house: SignalHouse,
  credits: number,
  options: LaunchOptions,
): Promise<Launched> {
  const workspaceId = await house.workspace({ mode: 'self' }, credits);
  return house.launch(workspaceId, await house.agent(workspaceId), options);
}

/** Works on one direction of a launch until it is done, or its process dies at a point. */
export const runUntil = (
  house: SignalHouse,
  work: RunWork,
  fatalPoint = Infinity,
  parts?: Partial<ProcessHost>,
): Promise<Lived> =>
  untilDeath(fatalPoint, (life) => executeSignalRun.act(house.worker(life, parts), work, NEVER));

/** Subjects in the order in which a run must check them, computed independently. */
export function inOrder(posts: readonly Post[]): readonly string[] {
  return [...posts]
    .sort((left, right) => right.minutesAgo - left.minutesAgo || (left.ref < right.ref ? -1 : 1))
    .map(({ ref }) => `post:${ref}`);
}

export const isPriorityOne = (subject: string): boolean => {
  const author = [...FEW, ...MANY].find(({ ref }) => `post:${ref}` === subject)?.author;
  const person = PEOPLE.find(({ ref }) => ref === author);
  return person === undefined || (person.title.includes('Sales') && person.country === 'France');
};

export type Expected = {
  readonly outcome: 'completed' | 'completed_partial' | 'failed';
  /** Subjects recorded, in order. */
  readonly kept: readonly string[];
  readonly dropped: number;
  /** Those of the kept that have a captured movement. */
  readonly paid: readonly string[];
  /** Contents that a late worker had claimed before it noticed. */
  readonly contentsClaimedInVain?: number;
};

const ofType = (events: readonly StoredEvent[], ...types: readonly string[]): readonly StoredEvent[] =>
  events.filter(({ type }) => types.includes(type));
const field = (events: readonly StoredEvent[], name: string): readonly unknown[] =>
  events.map(({ data }) => data[name]);
const expectDistinct = (values: readonly unknown[]): void => expect(new Set(values).size).toBe(values.length);

/** Expects the one correct end of the launch. */
export async function expectEnded(house: SignalHouse, launched: Launched, expected: Expected): Promise<void> {
  const { workspaceId, work } = launched;
  const own = await house.eventsSince(launched);
  const spent = toStored(BigInt(expected.paid.length) * PRICE);

  // The run: one start, one end, each subject once and in order.
  const detected = ofType(own, 'SignalDetected');
  expect(field(detected, 'subject')).toEqual(expected.kept);
  expectDistinct(field(detected, 'detectionId'));
  expect(ofType(own, 'RunStarted')).toHaveLength(1);
  expect(ofType(own, 'RunCompleted', 'RunCompletedPartial', 'RunFailed')).toHaveLength(1);
  expect(ofType(own, 'RunEnded').map(({ data }) => data)).toEqual([
    expect.objectContaining({
      runId: work.runId,
      outcome: expected.outcome,
      matchesFound: expected.kept.length,
      matchesDropped: expected.dropped,
      creditsSpent: spent,
    }),
  ]);

  // The money: a capture for each paid one, nothing else taken, nothing left open.
  const movements = new Map(ofType(own, 'CreditsHeld').map(({ data }) => [data['movementId'], data]));
  const captured = field(ofType(own, 'CreditsCaptured'), 'movementId');
  const released = field(ofType(own, 'CreditsReleased'), 'movementId');
  const paidSubjects = captured.map((movementId) => {
    const cause = movements.get(String(movementId) === '' ? null : (movementId as number))?.['cause'];
    return isRecord(cause) ? cause['subject'] : null;
  });
  expect([...paidSubjects].sort()).toEqual([...expected.paid].sort());
  expect([...captured, ...released].sort()).toEqual([...movements.keys()].sort());
  expect([...movements.values()].every(({ credits }) => fromStored(String(credits)) === PRICE)).toBe(true);
  const recorded = detected.filter(({ data }) => data['movementId'] !== null);
  expect(field(recorded, 'movementId')).toEqual(captured);
  expect(field(recorded, 'subject')).toEqual(expected.paid);

  // The records: one of each identity that a kept signal names.
  for (const type of ['CompanyRegistered', 'LeadRegistered'])
    expectDistinct(field(ofType(own, type), 'identity'));
  expectDistinct(field(ofType(own, 'ContentCaptured'), 'ref'));
  expect(ofType(own, 'ContentCaptured').length).toBeLessThanOrEqual(
    expected.kept.length + (expected.contentsClaimedInVain ?? 0),
  );

  await expectLedgerAgrees(house, launched);
  expect(await house.reads.count(detections, { where: { runId: work.runId, workspaceId } })).toBe(
    expected.kept.length,
  );
}

/** The read models: the ledger agrees with them, nothing is held, nothing is left to do. */
export async function expectLedgerAgrees(house: SignalHouse, { workspaceId }: Launched): Promise<void> {
  await house.caughtUp();
  const context = {
    commandId: 'verify',
    actor: { kind: 'operator', id: 'test' },
    correlationId: 'verify',
  } as const;
  const verification = await ledgerVerify.run(
    house.operator,
    { workspace_id: workspaceId },
    { ...context, workspaceId },
    () => undefined,
  );
  expect(verification).toMatchObject({ ok: true, differences: [] });
  const balance = await house.reads.get(creditBalances, String(workspaceId));
  expect(balance?.held).toBe('0');
  const due = await dueItems(house.reads, executeSignalRun.toDo, house.now(), 1_000);
  expect(due.filter((item) => item.workspaceId === workspaceId)).toEqual([]);
}
