import { firstAbort } from '#kernel/commands/first-abort.js';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import type { NetworkStore } from '#network/network-store.js';
import type { Reading } from '#network/sighting.js';
import type { SourceDocument } from '#projections/sources/sources/sources.projection.js';
import { memoryOf } from './added-again.js';
import { MalformedAnswer } from './answer-fields.js';
import { beforeWriting } from './before-writing.js';
import { afterGone, afterMissing } from './gone-source.js';
import { refPrefix } from './item-ref.js';
import type { PoliteClient } from './polite-client.js';
import { keptMemory, pollKey, type PollMemory } from './poll-memory.js';
import { afterFailure, afterSuccess, NEVER_MS } from './poll-outcome.js';
import { readSource } from './read-source.js';
import type { Parse, SourceKind, SourceReading } from './source-kind.js';
import { kindOf } from './source-kinds.js';
import { refsOfNames, subjectRefOf } from './source-subject.js';
import { writeLines } from './write-lines.js';

export type PollParts = {
  readonly network: Pick<NetworkStore, 'directory' | 'polls' | 'write'>;
  readonly client: PoliteClient;
  readonly parse: Parse;
  /** The name of this process among those that poll. */
  readonly holder: string;
  /** Product time, which dates readings and closings. */
  readonly now: () => Date;
  /** Real time in milliseconds. */
  readonly nowMs: () => number;
  /** From 0 to 1: spreads polls. */
  readonly random: () => number;
  /**
   * Whether there is more than one workspace: a file is then shared by all of them, which must be allowed (SRC-10).
   */
  readonly hasSeveralWorkspaces: () => Promise<boolean>;
  /** Another source of this kind that is read at an address; null: none. */
  readonly sourceAt: (source: SourceDocument, url: string) => Promise<SourceDocument | null>;
};

/** The result of a poll. */
export type Polled =
  | {
      readonly outcome: 'polled';
      readonly memory: PollMemory;
      /** The permanent new address; null: it has not moved. */
      readonly movedTo: string | null;
    }
  /** Another process polls it. */
  | { readonly outcome: 'in hand' }
  /** It is not due, or its host asks not to be asked before. */
  | { readonly outcome: 'too early'; readonly memory: PollMemory };

export type PollOptions = {
  /** Requested by an operator: it need not be due, but the waits that its host asks for apply. */
  readonly isAsked: boolean;
  readonly signal: AbortSignal;
  /** Called with the number of requests, then of written items; for a file with the bytes read. */
  readonly onProgress?: (done: number, total: number | null, what: 'requests' | 'items' | 'bytes') => void;
};

/** A longer poll is aborted. */
const LONGEST_POLL_MS = 30 * 60_000;
/** A claim that is not extended for this long expires, because its process has ended. */
const CLAIM_MS = 120_000;
const EXTEND_EVERY_MS = CLAIM_MS / 4;
const MOST_SUSPECTS = 10_000;
const MOST_KNOWN = 2_000;
/** An empty answer counts when the next one confirms it. */
const EMPTY_IS_EMPTY = 2;

const NOT_SHARED = 'is not shared, and there is more than one workspace: use source share';

/**
 * Reads a source and writes its items: a memory without validators, then observations, then closings, then the memory
 * for the next poll, each durable before the next (SRC-06). After an interruption at any point it is repeated, and all
 * writes are idempotent.
 */
export async function pollSource(
  parts: PollParts,
  source: SourceDocument,
  options: PollOptions,
): Promise<Polled> {
  const { network, holder, nowMs } = parts;
  const kind = kindOf(source.kind);
  if (kind === null) throw new Error(`this version reads no ${source.kind}`);
  const key = pollKey(source);
  const claim = await network.polls.claim(key, holder, nowMs(), nowMs() + CLAIM_MS);
  if (claim === null) return { outcome: 'in hand' };
  const before = { ...memoryOf(source, claim.memory), sourceId: source.id };
  const settle = (memory: PollMemory): Promise<void> => network.polls.settle(key, holder, keptMemory(memory));
  const dueAtMs = options.isAsked ? before.notBeforeMs : before.nextPollAtMs;
  if (dueAtMs > nowMs()) {
    await settle(before);
    return { outcome: 'too early', memory: before };
  }
  const startedAtMs = nowMs();
  let left: PollMemory = before;
  const ending = firstAbort(options.signal, AbortSignal.timeout(LONGEST_POLL_MS));
  const extending = setInterval(() => {
    // If the claim cannot be extended the source may be polled twice; all writes are idempotent.
    network.polls.extend(key, holder, nowMs() + CLAIM_MS).catch(() => undefined);
  }, EXTEND_EVERY_MS).unref();
  try {
    const { memory, movedTo, isPutOff } = await polled(parts, {
      source,
      kind,
      before,
      options,
      signal: ending.signal,
      endsAtMs: startedAtMs + LONGEST_POLL_MS,
      onBegun: (memory) => (left = memory),
    });
    await settle({ ...memory, tookMs: nowMs() - startedAtMs });
    return isPutOff ? { outcome: 'too early', memory } : { outcome: 'polled', memory, movedTo };
  } catch (error) {
    // Written items stay, and the next poll reads everything. A poll that took too long or ended with an error counts as
    // a failure, so that it is shown and not repeated at once. A poll that was stopped, or had no store, says nothing
    // about its source and keeps the rest of the earlier memory.
    const saysNothing = options.signal.aborted || error instanceof StoreUnavailable;
    const fault = error instanceof Error ? error.message : String(error);
    const why = ending.signal.aborted ? 'took longer than half an hour' : `ended with an error: ${fault}`;
    await settle(saysNothing ? left : afterFailure(parts, { before: left }, why, 0));
    throw error;
  } finally {
    clearInterval(extending);
    ending.end();
  }
}

export type Poll = {
  readonly source: SourceDocument;
  readonly kind: SourceKind;
  readonly before: PollMemory;
  readonly options: PollOptions;
  readonly signal: AbortSignal;
  /** When it is aborted, in ms. */
  readonly endsAtMs: number;
  /** Called before the first write, with the memory that the next poll has if this one does not end. */
  readonly onBegun: (memory: PollMemory) => void;
};
type Outcome = {
  readonly memory: PollMemory;
  readonly movedTo: string | null;
  /** Nothing was read, because the turn of this source at its host comes much later. */
  readonly isPutOff: boolean;
};

const staying = (memory: PollMemory): Outcome => ({ memory, movedTo: null, isPutOff: false });

async function polled(parts: PollParts, poll: Poll): Promise<Outcome> {
  const { source, kind, before, signal, options } = poll;
  if (kind.isFile && !source.isShared && (await parts.hasSeveralWorkspaces()))
    return staying(afterFailure(parts, poll, NOT_SHARED, 0));
  const readFor = before.isRead ? before.subjectRef : null;
  const subject = await subjectRefOf(parts.network, source.subject, readFor, parts.nowMs());
  if ('unknown' in subject) return staying(afterFailure(parts, poll, subject.unknown, 0));
  const { etag, lastModified, isRead, empty, suspects, known } = before;
  // Unconfirmed items need a full reading: "not modified" closes nothing.
  const isOpen = suspects.length > 0 || (empty > 0 && empty < EMPTY_IS_EMPTY);
  // So do items that name a company that an observed one has replaced, or that the source had before (SRC-04).
  const isRenamed = before.subjectRef !== null && before.subjectRef !== subject.ref;
  const reading = await readSource(
    kind,
    { ...source, subjectRef: subject.ref },
    {
      client: requestsOf(parts.client, poll.endsAtMs),
      parse: parts.parse,
      validators: isRead && !isOpen && !isRenamed ? { etag, lastModified } : null,
      known,
      readsKnownAgain: isRenamed,
      signal,
      nowMs: parts.nowMs,
      onRequest: (done, total) => options.onProgress?.(done, total, 'requests'),
      onBytes: (done, total) => options.onProgress?.(done, total, 'bytes'),
      refsOf: (names) => refsOfNames(parts.network, names),
    },
  );
  switch (reading.outcome) {
    case 'failed':
      return staying(afterFailure(parts, poll, reading.why, reading.notBeforeMs));
    case 'later': {
      const { notBeforeMs } = reading;
      // Nothing was sent, so the pause of a board that is gone stays.
      const nextPollAtMs = before.isGone ? Math.max(notBeforeMs, before.nextPollAtMs) : notBeforeMs;
      const memory = { ...before, lastPollAtMs: parts.nowMs(), notBeforeMs, nextPollAtMs };
      return { memory, movedTo: null, isPutOff: true };
    }
    case 'missing':
      return staying(await afterMissing(parts, poll, reading.notBeforeMs));
    case 'gone':
      return staying({ ...(await afterGone(parts, poll, reading.notBeforeMs)), nextPollAtMs: NEVER_MS });
    case 'unchanged': {
      const { movedTo, notBeforeMs } = reading;
      const fault = await takenBy(parts, source, movedTo);
      if (fault !== null) return staying(afterFailure(parts, poll, fault, notBeforeMs));
      await markRead(parts, subject.ref);
      const counts = { added: 0, changed: 0, closed: 0, skipped: 0 };
      const schedule = { notBeforeMs, skipHours: before.skipHours, hasYielded: before.items > 0 };
      return { memory: afterSuccess(parts, poll, counts, schedule), movedTo, isPutOff: false };
    }
    case 'read':
      try {
        const fault = await takenBy(parts, source, reading.movedTo);
        if (fault !== null) return staying(afterFailure(parts, poll, fault, reading.notBeforeMs));
        return await afterItems(parts, poll, reading, subject.ref);
      } finally {
        await reading.lines.close();
      }
  }
}

/** Why a source is not read at its new address: read twice, each of its items would be found and charged twice. */
async function takenBy(
  { sourceAt }: PollParts,
  source: SourceDocument,
  movedTo: string | null,
): Promise<string | null> {
  const other = movedTo === null ? null : await sourceAt(source, movedTo);
  return other === null
    ? null
    : `has moved to the address of source ${other.id} (${other.name}): remove one of them`;
}

/** The requests of one poll: only the first may be put off. */
function requestsOf(client: PoliteClient, pollEndsAtMs: number): PoliteClient {
  let isBegun = false;
  return {
    async get(url, asked) {
      const answer = await client.get(url, { ...asked, pollEndsAtMs, isBegun });
      isBegun = true;
      return answer;
    },
  };
}

type ReadItems = Extract<SourceReading, { outcome: 'read' }>;
type BeforeWrites = {
  readonly subjectRef: string;
  /** The postings that are open before the first write. */
  readonly open: readonly string[];
  /** Whether a posting that the reading lacks may be closed. */
  readonly closes: boolean;
};

async function afterItems(
  parts: PollParts,
  poll: Poll,
  reading: ReadItems,
  subjectRef: string,
): Promise<Outcome> {
  const { source, kind, before } = poll;
  const closes = kind.gives === 'postings' && reading.isWhole;
  const open = closes ? await parts.network.polls.openPostings(refPrefix(source.kind, source.boardId)) : [];
  // A poll that stored a part of its reading has left more open postings than the board had before it.
  const begun = await beforeWriting(parts, poll, closes ? (before.openBefore ?? open.length) : null);
  try {
    const memory = await afterReading(parts, begun, reading, { subjectRef, open, closes });
    return { memory, movedTo: reading.movedTo, isPutOff: false };
  } catch (error) {
    // Lines before the fault are written; they close nothing, and are read again.
    if (!(error instanceof MalformedAnswer)) throw error;
    return staying(afterFailure(parts, begun, error.message, 0));
  }
}

async function afterReading(
  parts: PollParts,
  poll: Poll,
  read: ReadItems,
  { subjectRef, open, closes }: BeforeWrites,
): Promise<PollMemory> {
  const { network } = parts;
  const { source, before } = poll;
  const shown = new Set(read.refs);
  const lacking = open.filter((ref) => !shown.has(ref));
  // SRC-02: if most of a board disappears at once, the provider has probably changed its format.
  const isReplaced = closes && shown.size > 0 && lacking.length * 2 > (before.openBefore ?? open.length);
  const reading: Reading = {
    sourceId: String(source.id),
    readAtMs: parts.now().getTime(),
    isFirst: !before.isRead || isReplaced,
  };
  const written = await writeLines(network, read, {
    reading,
    // Rows name their own subjects.
    marksSubjects: source.subject === null,
    signal: poll.signal,
    onItems: (done, total) => poll.options.onProgress?.(done, total, 'items'),
  });
  await markRead(parts, subjectRef);
  const items = read.items ?? written.lines + written.skipped;
  const empty = items === 0 ? before.empty + 1 : 0;
  const isConfirmed = items > 0 || empty >= EMPTY_IS_EMPTY;
  const suspects = new Set(before.suspects);
  // A posting that a paged reading lacks may still exist.
  const gone = !isConfirmed ? [] : read.isPaged ? lacking.filter((ref) => suspects.has(ref)) : lacking;
  const closed =
    gone.length === 0 ? 0 : await network.polls.closePostings({ refs: gone, rev: read.sentAtMs, reading });
  const goneRefs = new Set(gone);
  const { skipped } = written;
  const { notBeforeMs, skipHours } = read;
  return {
    ...afterSuccess(
      parts,
      poll,
      { added: written.added, changed: written.changed, closed, skipped },
      {
        notBeforeMs,
        skipHours,
        hasYielded: items > 0,
      },
    ),
    ...read.validators,
    // An empty first answer, or pages without their items, may be a fault of the moment: the items after it would count
    // as new (SRC-02).
    isRead: before.isRead || items > 0 || (isConfirmed && !read.isPaged),
    subjectRef: subjectRef === '' ? null : subjectRef,
    empty,
    items,
    openBefore: isConfirmed ? null : before.openBefore,
    suspects: read.isPaged ? lacking.filter((ref) => !goneRefs.has(ref)).slice(0, MOST_SUSPECTS) : [],
    known: read.known.slice(-MOST_KNOWN),
  };
}

/** Marks the subject of a source as read, even if the reading has no items. */
async function markRead({ network, now }: PollParts, subjectRef: string): Promise<void> {
  if (subjectRef !== '') await network.polls.markRead([subjectRef], now().getTime());
}
