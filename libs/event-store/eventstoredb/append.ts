import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { Status } from '@eventstore/db-client/generated/status_pb.js';
import {
  AppendTooLarge,
  StoreUnavailable,
  StoreUnusable,
  WrongExpectedRevision,
  type Appended,
  type ExpectedRevision,
  type StoredEvent,
} from '#kernel/ports/event-store.port.js';
import { backoffMs, pause, type RetryPolicy } from '#kernel/commands/retry.js';
import { failureOf, neverSent } from './client-errors.js';
import type { ServerConnection } from './connection.js';
import { LAST_REVISION, type SentAppend, type SerializedServerAppend } from './serialized-append.js';
import { positionText } from './position-text.js';
import type { AppendMessage } from './server-messages.js';

export type AppendPatience = {
  /** The time limit for one answer. */
  readonly answerMs: number;
  /** No further attempt starts after this time. */
  readonly patienceMs: number;
};

/** The outcome of one attempt. */
type Outcome =
  | { readonly kind: 'written'; readonly revision: bigint; readonly position: string | null }
  | { readonly kind: 'wrong revision'; readonly actual: ExpectedRevision }
  /** To be retried. */
  | { readonly kind: 'again'; readonly mayBeWritten: boolean; readonly cause: unknown }
  | { readonly kind: 'refused'; readonly error: Error };

const BETWEEN_ATTEMPTS: RetryPolicy = { tries: 5, firstDelayMs: 40, longestDelayMs: 400 };
/** gRPC: unknown method. */
const UNIMPLEMENTED = 12;
const TURNED_AWAY = /Server Is Not Ready|Server Is Busy|No leader info available/;
/** The server's value for a stream without events. */
const NO_EVENT = BigInt.asUintN(64, -1n);

/** Reads at most so many events of a stream from a revision on. */
export type ReadBack = (stream: string, from: bigint, count: number) => Promise<readonly StoredEvent[]>;

/**
 * Appends, and repeats the same ids, bytes and expected revision while the outcome is unknown: with an expected
 * revision that is idempotent. Rejects as `EventStore.append` does.
 */
export async function appendDurably(
  connection: ServerConnection,
  append: SerializedServerAppend,
  patience: AppendPatience,
  readBack: ReadBack,
): Promise<Appended> {
  const startedAt = performance.now();
  let mayBeWritten = false;
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await attemptOnce(connection, append, patience.answerMs);
    switch (outcome.kind) {
      case 'written':
        return confirmed(append, outcome.revision, outcome.position, readBack);
      case 'wrong revision':
        return foundOrRefused(append, outcome.actual, mayBeWritten, readBack);
      case 'refused':
        throw outcome.error;
      case 'again':
        mayBeWritten ||= outcome.mayBeWritten;
    }
    const spent = performance.now() - startedAt;
    if (connection.isClosed() || spent > patience.patienceMs) {
      const { message } = failureOf(outcome.cause);
      throw new StoreUnavailable(
        `the event store does not accept appends (${message})`,
        mayBeWritten ? 'unknown' : 'nothing-written',
        { cause: outcome.cause },
      );
    }
    await pause(backoffMs(BETWEEN_ATTEMPTS, Math.min(attempt, BETWEEN_ATTEMPTS.tries)));
  }
}

/** Sends an append once. Replaces a connection that fails or stays silent for `answerMs`. */
export async function attemptOnce(
  connection: ServerConnection,
  append: SentAppend,
  answerMs: number,
): Promise<Outcome> {
  const line = connection.line();
  try {
    const answer = await line.appends.send(append, answerMs);
    connection.worked();
    return outcomeOf(answer, append);
  } catch (error) {
    // Every server since 21.6 supports it, and earlier servers omit positions from stream reads.
    if (failureOf(error).code === UNIMPLEMENTED) {
      const needed = 'the server does not accept batched appends: EventStoreDB 22.10 or later is required';
      return { kind: 'refused', error: new StoreUnusable(needed, { cause: error }) };
    }
    connection.failed(line, error);
    return { kind: 'again', mayBeWritten: !neverSent(error), cause: error };
  }
}

function outcomeOf({ refusal, success }: AppendMessage, append: SentAppend): Outcome {
  if (refusal !== null) return refusalOf(refusal, append);
  if (success === null) throw new Error('an answer without success or error');
  const { revision, position } = success;
  return { kind: 'written', revision, position: position === null ? null : positionText(position) };
}

function refusalOf(refusal: Status, { stream, bytes }: SentAppend): Outcome {
  const details = refusal.getDetails();
  const name = details?.getTypeName().replace(/^event_store\.client\./, '') ?? '';
  const cause = new Error(refusal.getMessage() || name);
  switch (name) {
    case 'WrongExpectedVersion': {
      const found = details?.unpack(
        shared.WrongExpectedVersion.deserializeBinary,
        'event_store.client.WrongExpectedVersion',
      );
      const actual = BigInt(found?.getCurrentStreamRevision() ?? NO_EVENT);
      const isThere = found?.hasCurrentStreamRevision() === true && actual !== NO_EVENT;
      return { kind: 'wrong revision', actual: isThere ? actual : 'no-stream' };
    }
    case 'MaximumAppendSizeExceeded':
      return { kind: 'refused', error: new AppendTooLarge(stream, bytes) };
    case 'StreamDeleted':
      return {
        kind: 'refused',
        error: new StoreUnusable(`the stream ${stream} was deleted on the server and accepts no more events`),
      };
    case 'AccessDenied':
      return {
        kind: 'refused',
        error: new StoreUnavailable(`the event store denies the right to append to ${stream}`),
      };
    case 'BadRequest':
      return { kind: 'refused', error: cause };
    // Either refused before the append or an error inside the server: only the message distinguishes them.
    case 'google.protobuf.Empty':
      return { kind: 'again', mayBeWritten: !TURNED_AWAY.test(refusal.getMessage()), cause };
    default:
      return { kind: 'again', mayBeWritten: true, cause };
  }
}

/** The revision shows whether the stream is as the writer expected: a soft-deleted stream continues to count. */
async function confirmed(
  append: SerializedServerAppend,
  revision: bigint,
  position: string | null,
  readBack: ReadBack,
): Promise<Appended> {
  const last = revisionBefore(append) + BigInt(append.events.length);
  if (revision !== last) {
    throw new StoreUnusable(
      `the stream ${append.stream} went on at revision ${revision} instead of ${last}: it was deleted on the server`,
    );
  }
  if (position !== null) return { revision, position };
  const [stored] = await readBack(append.stream, revision, 1);
  if (stored === undefined) throw new StoreUnavailable(`${append.stream} cannot be read back`, 'unknown');
  return { revision, position: stored.position };
}

/** A server that has forgotten our ids answers a repetition with a wrong revision: the stored events decide. */
async function foundOrRefused(
  append: SerializedServerAppend,
  actual: ExpectedRevision,
  mayBeWritten: boolean,
  readBack: ReadBack,
): Promise<Appended> {
  const { stream, expected, events } = append;
  const before = revisionBefore(append);
  const last = before + BigInt(events.length);
  if (actual !== 'no-stream' && actual >= last && last < LAST_REVISION) {
    let stored: readonly StoredEvent[];
    try {
      stored = await readBack(stream, before + 1n, events.length);
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || !mayBeWritten) throw error;
      throw new StoreUnavailable(error.message, 'unknown', { cause: error });
    }
    const end = stored.at(-1);
    const isOurs =
      stored.length === events.length && stored.every(({ id }, index) => id === events[index]?.id);
    if (isOurs && end !== undefined) return { revision: end.revision, position: end.position };
  }
  throw new WrongExpectedRevision(stream, expected, actual);
}

function revisionBefore({ expected }: SerializedServerAppend): bigint {
  return expected === 'no-stream' ? -1n : expected;
}
