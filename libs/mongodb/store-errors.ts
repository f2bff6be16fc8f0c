import {
  MongoBulkWriteError,
  MongoClientClosedError,
  MongoCompatibilityError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoServerError,
  MongoServerSelectionError,
  MongoSystemError,
  MongoTopologyClosedError,
  MongoWriteConcernError,
} from 'mongodb';
import { StoreUnavailable, StoreUnusable } from '#kernel/ports/event-store.port.js';

const UNAUTHORIZED = 13;
const AUTHENTICATION_FAILED = 18;
const ATLAS_ERROR = 8_000;
/** The server runs but cannot serve now. The cause is temporary or must be fixed by an operator; nothing is lost. */
const NOT_NOW: ReadonlySet<unknown> = new Set([
  // A node behind the server cannot be reached.
  ...[6, 7, 89, 202, 9_001],
  // The server shuts down, or there is no primary.
  ...[91, 189, 10_058, 10_107, 11_600, 11_602, 13_435, 13_436],
  // Time limit exceeded.
  ...[50, 262],
  // No majority in time.
  ...[64, 100, 133, 134],
  // Disk full.
  14_031,
]);
/** A socket that breaks while a request is written to it: the driver passes its error on unchanged. */
const BROKEN_SOCKET: ReadonlySet<unknown> = new Set([
  ...['EPIPE', 'ECONNRESET', 'ECONNABORTED', 'ECONNREFUSED', 'ETIMEDOUT'],
  ...['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN'],
  ...['ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'],
]);
export const DUPLICATE_KEY = 11_000;
const NAMESPACE_NOT_FOUND = 26;
const NOT_IMPLEMENTED = 238;

/**
 * Translates an error of the driver for callers of a store: `StoreUnavailable` for a temporary error (with `unknown`
 * if a write may have arrived), `StoreUnusable` for an error that an operator must fix. Any other error is a bug of
 * ours and stays unchanged. `place` names the database without credentials.
 */
export function storeError(error: unknown, place: string, isWrite: boolean): unknown {
  if (!(error instanceof Error) || error instanceof StoreUnavailable || error instanceof StoreUnusable) {
    return error;
  }
  const { message } = error;
  if (isRefused(error)) {
    return new StoreUnusable(`${place} refuses the request: ${message}`, { cause: error });
  }
  if (neverArrived(error)) {
    return new StoreUnavailable(`${place} cannot be reached: ${message}`, 'nothing-written', {
      cause: error,
    });
  }
  if (mayHaveArrived(error)) {
    return new StoreUnavailable(
      `${place} does not answer: ${message}`,
      isWrite ? 'unknown' : 'nothing-written',
      {
        cause: error,
      },
    );
  }
  return error;
}

/** Another document has this key. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

/** The collection does not exist. Older and smaller servers report this only in the message. */
export function isNoSuchCollection(error: unknown): boolean {
  return (
    error instanceof MongoServerError &&
    (error.code === NAMESPACE_NOT_FOUND || error.message === 'ns not found')
  );
}

/** The server speaks the protocol but does not support this command. */
export function isNotImplemented(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === NOT_IMPLEMENTED;
}

function isRefused(error: Error): boolean {
  if (error instanceof MongoCompatibilityError) return true;
  const reason = error instanceof MongoServerSelectionError ? error.cause : error;
  if (reason instanceof MongoServerSelectionError || !(reason instanceof Error)) return false;
  return (
    reason instanceof MongoServerError &&
    [UNAUTHORIZED, AUTHENTICATION_FAILED, ATLAS_ERROR].some((code) => reason.code === code)
  );
}

function neverArrived(error: Error): boolean {
  return (
    // No server was found, or no connection of the pool became free.
    error instanceof MongoSystemError ||
    error instanceof MongoTopologyClosedError ||
    error instanceof MongoClientClosedError ||
    error instanceof MongoNotConnectedError ||
    error.name === 'MongoWaitQueueTimeoutError' ||
    error.name === 'MongoPoolClosedError' ||
    error.name === 'MongoPoolClearedError'
  );
}

function mayHaveArrived(error: Error): boolean {
  if (error instanceof MongoBulkWriteError) return NOT_NOW.has(error.code);
  return (
    error instanceof MongoNetworkError ||
    ('code' in error && BROKEN_SOCKET.has(error.code)) ||
    error instanceof MongoOperationTimeoutError ||
    error instanceof MongoWriteConcernError ||
    (error instanceof MongoServerError &&
      (NOT_NOW.has(error.code) || error.hasErrorLabel('RetryableWriteError')))
  );
}
