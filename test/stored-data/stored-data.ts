import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '#kernel/values/json.js';
import type { StreamAppend } from '#kernel/ports/event-store.port.js';
import type { SqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import { startTestService, type Answer, type TestService } from '#test/support/service.js';
import { FOLDER, journal, linesOf, unpacked } from './journal.js';

/** The data of an earlier version of the service, and its answers; the README says how it was made. */

const STORES = ['events.db', 'views.db', 'network.db'] as const;

type KeyedRequest = {
  readonly route: string;
  readonly body: JsonObject;
  readonly key: string;
  readonly status: number;
  readonly answer: JsonObject;
};

export type StoredFacts = {
  /** The workspace with the run that was killed between a batch's preparation and its completion. */
  readonly stopped: { readonly workspaceId: number; readonly apiKey: string; readonly runId: number };
  /** The workspace whose ledger is long enough to have a snapshot. */
  readonly longLedger: number;
  /** Requests with a key that are less than a day old by the clock of the data. */
  readonly keyed: {
    readonly workspaceId: number;
    readonly apiKey: string;
    readonly requests: readonly KeyedRequest[];
  };
};

export const storedFacts: StoredFacts = JSON.parse(readFileSync(join(FOLDER, 'facts.json'), 'utf8'));

/** A query of the public API or of an operator, with the answer after the end of the stopped run. */
export type StoredAnswer = { readonly status: number; readonly answer: JsonObject | null } & (
  | { readonly route: string; readonly apiKey: string; readonly body?: JsonObject }
  | { readonly command: string; readonly input: JsonObject }
);

export const storedAnswers: readonly StoredAnswer[] = linesOf('answers.jsonl');

/** A new folder with those of the stored files. */
export function dataDirectoryOf(...files: readonly (typeof STORES)[number][]): string {
  const folder = mkdtempSync(join(tmpdir(), 'stored-data-'));
  mkdirSync(folder, { recursive: true });
  for (const file of files) writeFileSync(join(folder, file), unpacked(file));
  return folder;
}

/** Today's service on a data directory, always on files. */
export function startOn(dataDirectory: string): Promise<TestService> {
  const [EVENT_STORE_URL, READ_STORE_URL, NETWORK_STORE_URL] = STORES.map(
    (file) => `sqlite:${join(dataDirectory, file)}`,
  );
  return startTestService(
    {
      CLOCK: 'manual',
      CURSOR_SECRET: 'the same in every version',
      EVENT_STORE_URL: EVENT_STORE_URL ?? '',
      READ_STORE_URL: READ_STORE_URL ?? '',
      NETWORK_STORE_URL: NETWORK_STORE_URL ?? '',
    },
    dataDirectory,
  );
}

/** Today's answer of the service to an old query. */
export function answeredNow(service: TestService, asked: StoredAnswer): Promise<Answer> {
  if ('command' in asked) return service.ops(asked.command, asked.input);
  return service.call(asked.route, asked.body, { authorization: `Bearer ${asked.apiKey}` });
}

const WRITTEN_AT_ONCE = 500;

/** Appends the journal to an empty store, each event with its id at its position. */
export async function writeJournal(store: SqliteEventStore): Promise<void> {
  const appends = journal.map(({ stream, revision, id, type, data, metadata }): StreamAppend => {
    const expected = revision === 0 ? 'no-stream' : BigInt(revision - 1);
    return { stream, expected, events: [{ id, type, data, metadata }] };
  });
  for (let done = 0; done < appends.length; done += WRITTEN_AT_ONCE) {
    await store.appendWhole(appends.slice(done, done + WRITTEN_AT_ONCE));
  }
}

/** Members unknown to the network when they were added, with what it has learned since. */
const LEARNED_OF_SINCE = {
  network_handle: 'not-seen-yet',
  profile: {
    first_name: 'Not-seen-yet',
    last_name: 'Roy',
    network_headline: 'Analyst at beta',
    position: 'Analyst',
    current_company: { name: 'Beta', logo_url: 'https://beta.com/logo.png' },
    enrichment_status: 'completed',
  },
};

/** A company that was added by its domain before the network knew it. */
const NAMED_SINCE = {
  domain: 'unheard.example',
  network_handle: 'later',
  network_url: 'https://www.network.example/company/later',
  name: 'Later',
  logo_url: 'https://later.com/logo.png',
};

type Row = { readonly [field: string]: unknown };

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The old answer, or the correct answer of a later version when it differs for the same events. There are six such
 * queries: members that the network did not know are looked up again once it has learned of them, members of lists of
 * companies are shown with a domain, and so are entries of membership logs, of which those of one moment keep the order
 * of their events (OP-46),
 * signals show their cost (SIG-48) and their sources (SRC-07), and a movement shows on whose behalf its account was
 * monitored: null, when none was.
 */
export function answerOfToday(asked: StoredAnswer): unknown {
  const data = asked.answer?.['data'];
  if ('route' in asked && asked.route.endsWith('/stats') && isRow(data) && isRow(data['latest_signal']))
    return { ...asked.answer, data: { ...data, latest_signal: priced(data['latest_signal']) } };
  if (isRow(data) && isRow(data['origin']))
    return {
      ...asked.answer,
      data: { ...data, origin: originOf(data['origin']), entries: entriesOf(data['entries']) },
    };
  if ('route' in asked && asked.answer !== null && 'signal_request_id' in asked.answer)
    return withoutLimit(asked.answer);
  if ('route' in asked && asked.answer !== null && 'pipeline_configs' in asked.answer)
    return unread(asked.answer);
  const rows: readonly Row[] = Array.isArray(data) ? data : [];
  if (!('route' in asked) || rows.length === 0) return asked.answer;
  const ofCompanies = /\/company\/(\d+)\/(members|entities)\?/.exec(asked.route);
  if (ofCompanies !== null) {
    const listId = Number(ofCompanies[1]);
    const withDomains = rows.map((row) => ({ ...row, domain: domainOf(listId, row['id']) }));
    return { ...asked.answer, data: withDomains.map(namedSince) };
  }
  if (/\/(members|entities)\?/.test(asked.route)) return { ...asked.answer, data: rows.map(learnedOf) };
  if (/\/top-account-list\/accounts(\?|$)/.test(asked.route))
    return { ...asked.answer, data: rows.map(unread) };
  if (asked.route.endsWith('/signals/query')) return { ...asked.answer, data: rows.map(priced) };
  const logOf = /\/(\d+)\/membership-logs\?/.exec(asked.route);
  if (logOf !== null) {
    const named = rows.map((row) => ({ ...row, domain: domainOf(Number(logOf[1]), idOfMember(row)) }));
    return { ...asked.answer, data: inOrderOfEvents(named) };
  }
  return asked.answer;
}

/** There were no sources then: none was read. */
const unread = <Members extends JsonObject | Row>(shown: Members) => ({ ...shown, observed_at: null });

/** No launch had a limit then: a polled run says so. */
const withoutLimit = (run: JsonObject): JsonObject => ({ ...run, max_credits: null, credits_left: null });

/** The origin of a movement: a signal from no source, and a month without a requester. */
function originOf({ signal, ...origin }: Row): Row {
  return { ...origin, signal: isRow(signal) ? { ...signal, provenance: [] } : signal, wanted_by: null };
}

/** Entries of background work showed its name as their request. */
const entriesOf = (entries: unknown): readonly Row[] =>
  (Array.isArray(entries) ? entries.filter(isRow) : []).map((entry) =>
    String(entry['request_id']).includes(':') ? { ...entry, request_id: null } : entry,
  );

/** The signal with its price: from the journal, or, for the run that had not ended then, from its continuation. */
function priced(found: Row): Row {
  const signal: Row = { ...found, provenance: [] };
  const detected = journal.find(
    ({ type, data }) => type === 'SignalDetected' && data['detectionId'] === signal['id'],
  );
  if (detected === undefined) {
    // The v3 answers show top priority, and that run pays for it.
    const isPaid = 'details' in signal || PAID_AUTHORS.has(addressOf(signal['author']));
    return { ...signal, ...(isPaid ? PAID_LATER : { credits: 0, movement_id: null }) };
  }
  const { movementId: movement_id } = detected.data;
  const held = journal.find(({ type, data }) => type === 'CreditsHeld' && data['movementId'] === movement_id);
  return { ...signal, credits: Number(held?.data['credits'] ?? 0) / 1_000_000, movement_id };
}

/** The price for which the stopped run was launched. */
const PAID_LATER = { credits: 10, movement_id: expect.any(Number) };

/** For a person; null for a company that posts itself. */
const addressOf = (author: unknown): unknown => (isRow(author) ? author['network_url'] : null);

/** The authors whose posts the stopped run pays for: other posts are of lower priority, and free. */
const PAID_AUTHORS: ReadonlySet<unknown> = new Set(
  journal
    .filter(
      ({ stream, type }) => stream.endsWith(`_${storedFacts.stopped.runId}`) && type === 'BatchPrepared',
    )
    .flatMap(({ data }) => (Array.isArray(data['candidates']) ? data['candidates'].filter(isRow) : []))
    .filter((candidate) => candidate['priced'] === true)
    .map(({ author }) => addressOf(author)),
);

const learnedOf = (member: Row): Row =>
  member['network_handle'] === LEARNED_OF_SINCE.network_handle
    ? { ...member, ...LEARNED_OF_SINCE.profile }
    : member;

const namedSince = (member: Row): Row =>
  member['domain'] === NAMED_SINCE.domain ? { ...member, ...NAMED_SINCE } : member;

/** The first domain with which the member was added. */
function domainOf(listId: number, id: unknown): string | null {
  for (const { type, data } of journal) {
    if (type !== 'MembersAdded' || data['listId'] !== listId) continue;
    const members: readonly { readonly memberId: number; readonly domains: readonly string[] }[] =
      Array.isArray(data['members']) ? data['members'] : [];
    const added = members.find(({ memberId }) => memberId === id);
    if (added !== undefined) return added.domains[0] ?? null;
  }
  throw new Error(`no event added the member ${String(id)} to the list ${listId}`);
}

const idOfMember = ({ member_id, entity_id }: Row): unknown => member_id ?? entity_id;

/** Newest first; within one moment the later event first, and within one event the later member. */
function inOrderOfEvents(entries: readonly Row[]): readonly Row[] {
  const placeOf = (entry: Row): number =>
    journal.findIndex(({ type, data }) => {
      const members: readonly { readonly memberId: number }[] = Array.isArray(data['members'])
        ? data['members']
        : [];
      return (
        type === (entry['action'] === 'added' ? 'MembersAdded' : 'MembersRemoved') &&
        members.some(({ memberId }) => memberId === idOfMember(entry))
      );
    });
  return [...entries].sort(
    (left, right) =>
      String(right['occurred_at']).localeCompare(String(left['occurred_at'])) ||
      placeOf(right) - placeOf(left) ||
      Number(right['id']) - Number(left['id']),
  );
}
