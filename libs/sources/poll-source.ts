import { parseDomain, parseHandle, type NetworkIdentifier } from '#kernel/values/network-identifiers.js';
import { inPieces } from '#kernel/values/pieces.js';
import type { NetworkStore } from '#network/network-store.js';
import { MalformedObservation, readObservation } from '#network/read-observation.js';
import { madeCompanyRef } from '#network/resolution.js';
import type { Reading, Sighting } from '#network/sighting.js';
import type { SourceDocument } from '#projections/sources/sources/sources.projection.js';
import { refPrefix } from './item-ref.js';
import type { PoliteClient } from './polite-client.js';
import { keptMemory, memoryIn, type PollMemory } from './poll-memory.js';
import { readSource, type SeenLine, type SourceReading } from './read-source.js';
import { kindOf, type SourceKind } from './source-kinds.js';

export type PollParts = {
  readonly network: Pick<NetworkStore, 'directory' | 'polls' | 'write'>;
  readonly client: PoliteClient;
  /** Names this process among those that poll. */
  readonly holder: string;
  /** The clock of the service, by which readings and closings are dated. */
  readonly now: () => Date;
  /** Real time in milliseconds. */
  readonly nowMs: () => number;
  /** From 0 to 1: spreads polls. */
  readonly random: () => number;
};

/** What came of a poll. */
export type Polled =
  | { readonly outcome: 'polled'; readonly memory: PollMemory }
  /** Somebody else has it in hand. */
  | { readonly outcome: 'in hand' }
  /** The host asks not to be asked before. */
  | { readonly outcome: 'too early'; readonly notBeforeMs: number };

const HOUR_MS = 3_600_000;
/** A poll that takes longer has ended with its process. */
const CLAIM_MS = 3_600_000;
const BATCH = 200;
const MOST_SUSPECTS = 10_000;
/** 404 so often, at polls of their own, means that there is no board any more. */
const MISSING_IS_GONE = 3;
/** An empty answer counts when it is confirmed. */
const EMPTY_IS_EMPTY = 2;
const LONGEST_BACKOFF_MS = 24 * HOUR_MS;

const pauseOf = ({ gives }: SourceKind): number => (gives === 'posts' ? HOUR_MS : 6 * HOUR_MS);

const pollKey = ({ kind, boardId }: Pick<SourceDocument, 'kind' | 'boardId'>): string => `${kind}:${boardId}`;

/**
 * Reads a source and writes what it shows: observations, then closings, then what the next poll needs to know, each
 * durable before the next (SRC-06). Ended anywhere it is repeated and changes nothing twice.
 */
export async function pollSource(
  parts: PollParts,
  source: SourceDocument,
  signal: AbortSignal,
): Promise<Polled> {
  const { network, holder, nowMs } = parts;
  const kind = kindOf(source.kind);
  if (kind === null) throw new Error(`this version reads no ${source.kind}`);
  const key = pollKey(source);
  const claim = await network.polls.claim(key, holder, nowMs(), nowMs() + CLAIM_MS);
  if (claim === null) return { outcome: 'in hand' };
  const before = memoryIn(claim.memory);
  const settle = (memory: PollMemory): Promise<void> => network.polls.settle(key, holder, keptMemory(memory));
  if (before.notBeforeMs > nowMs()) {
    await settle(before);
    return { outcome: 'too early', notBeforeMs: before.notBeforeMs };
  }
  try {
    const memory = await polled(parts, { source, kind, before, signal });
    await settle(memory);
    return { outcome: 'polled', memory };
  } catch (error) {
    // Given back for the next one: what was written is written, and nothing is remembered of it.
    await settle(before);
    throw error;
  }
}

type Poll = {
  readonly source: SourceDocument;
  readonly kind: SourceKind;
  readonly before: PollMemory;
  readonly signal: AbortSignal;
};

async function polled(parts: PollParts, poll: Poll): Promise<PollMemory> {
  const { source, kind, before, signal } = poll;
  const company = await companyOf(parts, source);
  if (company === null) return afterFailure(parts, poll, 'its company is not known, or several are meant', 0);
  const { boardId, url, redactsContacts } = source;
  const { etag, lastModified, isRead, empty, suspects } = before;
  // What waits to be confirmed is read again: "not modified" closes nothing.
  const isOpen = suspects.length > 0 || (empty > 0 && empty < EMPTY_IS_EMPTY);
  const validators = isRead && !isOpen ? { etag, lastModified } : null;
  const reading = await readSource(parts.client, {
    ...{ kind, boardId, url, companyRef: company, redactsContacts, validators, signal },
  });
  switch (reading.outcome) {
    case 'failed':
      return afterFailure(parts, poll, reading.why, reading.notBeforeMs);
    case 'missing':
      return afterMissing(parts, poll, before.missing + 1, reading.notBeforeMs);
    case 'gone':
      return afterMissing(parts, poll, MISSING_IS_GONE, reading.notBeforeMs);
    case 'unchanged': {
      const hadItems = before.items > 0;
      return afterSuccess(parts, poll, reading.notBeforeMs, { accepted: 0, closed: 0, skipped: 0 }, hadItems);
    }
    case 'read':
      return afterReading(parts, poll, reading);
  }
}

async function afterReading(
  parts: PollParts,
  poll: Poll,
  read: Extract<SourceReading, { outcome: 'read' }>,
): Promise<PollMemory> {
  const { network } = parts;
  const { source, kind, before } = poll;
  const isBoard = kind.gives === 'postings';
  const open = isBoard ? await network.polls.openPostings(refPrefix(source.kind, source.boardId)) : [];
  const shown = new Set(read.lines.map(({ line }) => line.ref));
  const lacking = open.filter((ref) => !shown.has(ref));
  const empty = read.items === 0 ? before.empty + 1 : 0;
  const isConfirmed = read.items > 0 || empty >= EMPTY_IS_EMPTY;
  // SRC-02: most of a board at once is no news, but another way to read it.
  const isReplaced = isBoard && shown.size > 0 && lacking.length * 2 > open.length;
  const reading: Reading = {
    sourceId: String(source.id),
    readAtMs: parts.now().getTime(),
    isFirst: !before.isRead || isReplaced,
  };
  const written = await writeLines(parts, read.lines, reading);
  const suspects = new Set(before.suspects);
  // Between two pages a posting may have moved to one that was read already.
  const gone = !isConfirmed ? [] : read.isPaged ? lacking.filter((ref) => suspects.has(ref)) : lacking;
  const closed =
    gone.length === 0 ? 0 : await network.polls.closePostings({ refs: gone, rev: read.sentAtMs, reading });
  const goneRefs = new Set(gone);
  const counts = { accepted: written.accepted, closed, skipped: read.skipped + written.refused };
  return {
    ...afterSuccess(parts, poll, read.notBeforeMs, counts, read.items > 0),
    ...read.validators,
    isRead: true,
    empty,
    items: read.items,
    suspects: read.isPaged ? lacking.filter((ref) => !goneRefs.has(ref)).slice(0, MOST_SUSPECTS) : [],
  };
}

/** What cannot be stored is counted, as what has no text. */
async function writeLines(
  { network }: PollParts,
  lines: readonly SeenLine[],
  reading: Reading,
): Promise<{ readonly accepted: number; readonly refused: number }> {
  let accepted = 0;
  let refused = 0;
  for (const some of inPieces(lines, BATCH)) {
    const sightings = some.flatMap(({ line, sentAtMs }) => sightingOf(line, sentAtMs, reading) ?? []);
    const outcomes = await network.write(sightings);
    accepted += outcomes.filter((outcome) => outcome === 'accepted').length;
    refused +=
      some.length - sightings.length + outcomes.filter((outcome) => typeof outcome === 'object').length;
  }
  return { accepted, refused };
}

function sightingOf(line: object, sentAtMs: number, source: Reading | null): Sighting | null {
  try {
    const { notes: _notes, ...sighting } = readObservation(line, sentAtMs);
    return { ...sighting, source };
  } catch (error) {
    if (error instanceof MalformedObservation) return null;
    throw error;
  }
}

function afterSuccess(
  { nowMs, random }: PollParts,
  { kind, before }: Poll,
  notBeforeMs: number,
  counts: Pick<PollMemory, 'accepted' | 'closed' | 'skipped'>,
  hasYielded: boolean,
): PollMemory {
  const at = nowMs();
  return {
    ...before,
    ...counts,
    lastPollAtMs: at,
    lastSuccessAtMs: at,
    lastYieldAtMs: hasYielded ? at : before.lastYieldAtMs,
    failures: 0,
    lastFailure: null,
    missing: 0,
    isGone: false,
    notBeforeMs,
    nextPollAtMs: Math.max(notBeforeMs, at + spread(pauseOf(kind), random)),
  };
}

function afterFailure(
  { nowMs, random }: PollParts,
  { before }: Poll,
  why: string,
  notBeforeMs: number,
): PollMemory {
  const at = nowMs();
  const backoffMs = Math.min(HOUR_MS * 2 ** before.failures, LONGEST_BACKOFF_MS);
  return {
    ...before,
    lastPollAtMs: at,
    failures: before.failures + 1,
    lastFailure: why,
    notBeforeMs,
    nextPollAtMs: Math.max(notBeforeMs, at + spread(backoffMs, random)),
  };
}

/** A board that is gone has no postings; a feed that is gone leaves its posts. */
async function afterMissing(
  parts: PollParts,
  poll: Poll,
  missing: number,
  notBeforeMs: number,
): Promise<PollMemory> {
  const { network, nowMs } = parts;
  const { source, kind } = poll;
  const failed = afterFailure(
    parts,
    poll,
    missing >= MISSING_IS_GONE ? 'is gone' : 'answered 404',
    notBeforeMs,
  );
  if (missing < MISSING_IS_GONE) return { ...failed, missing };
  const refs =
    kind.gives === 'postings' ? await network.polls.openPostings(refPrefix(source.kind, source.boardId)) : [];
  const reading = { sourceId: String(source.id), readAtMs: parts.now().getTime(), isFirst: false };
  const closed = refs.length === 0 ? 0 : await network.polls.closePostings({ refs, rev: nowMs(), reading });
  return { ...failed, missing, isGone: true, closed, accepted: 0, skipped: 0, items: 0 };
}

const spread = (ms: number, random: () => number): number => Math.round(ms * (0.9 + 0.2 * random()));

/**
 * The company that a source is bound to, as it is known now (SRC-04); one of a domain that nobody observed is made, and
 * gives way to an observed one. Null where none or several are meant.
 */
async function companyOf({ network, nowMs }: PollParts, { company }: SourceDocument): Promise<string | null> {
  const identifier = identifierOf(company);
  if (identifier === null) return null;
  const [found] = await network.directory.resolveCompanies([identifier]);
  if (found?.outcome === 'found') return found.facts.ref;
  if (found?.outcome !== 'unknown' || identifier.by !== 'domain') return null;
  const { domain } = identifier;
  const ref = madeCompanyRef(domain);
  const line = { kind: 'company', ref, rev: 'auto', domains: [domain], name: domain };
  const made = sightingOf(line, nowMs(), null);
  if (made !== null) await network.write([made]);
  return ref;
}

function identifierOf({ by, value }: SourceDocument['company']): NetworkIdentifier | null {
  return by === 'domain' ? parseDomain(value) : parseHandle(value);
}
