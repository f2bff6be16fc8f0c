import { StoreUnavailable, StoreUnusable } from '#kernel/ports/event-store.port.js';

/** The facts in an error of the client; its name is always "Error", and its message often empty. */
export type ClientFailure = {
  /** The client's own kind, such as `unavailable`; null for an error of gRPC itself or of discovery. */
  readonly type: string | null;
  /** gRPC status code. */
  readonly code: number | null;
  readonly message: string;
};

/** No answer came within our time limit: the client's own deadlines do not detect a silent server. */
export class Silence extends Error {
  constructor(what: string, afterMs: number) {
    super(`no answer to ${what} within ${afterMs} ms`);
    this.name = 'Silence';
  }
}

export function failureOf(error: unknown): ClientFailure {
  // gRPC messages may end with the beginning of an empty sentence.
  const message = (error instanceof Error ? error.message : String(error)).replace(
    / Resolution note:\s*$/,
    '',
  );
  const { type, code } = (error ?? {}) as { readonly type?: unknown; readonly code?: unknown };
  return {
    type: typeof type === 'string' ? type : null,
    code: typeof code === 'number' ? code : null,
    message: message === '' && typeof type === 'string' ? type : message,
  };
}

/** True if the request cannot have been sent, because there was no connection. */
export function neverSent(error: unknown): boolean {
  const { message } = failureOf(error);
  return /No connection established|Name resolution failed|Failed to discover|ECONNREFUSED/.test(message);
}

const DELETED = 'stream-deleted';
const INVALID_POSITION = /invalid (read )?position/i;

/** The store error for an error of a read. */
export function readError(error: unknown, what: string): StoreUnavailable | StoreUnusable {
  if (error instanceof StoreUnavailable || error instanceof StoreUnusable) return error;
  const { type, message } = failureOf(error);
  if (type === DELETED)
    return new StoreUnusable(`${what}: the stream was deleted on the server`, { cause: error });
  if (INVALID_POSITION.test(message)) {
    return new StoreUnusable(
      `${what}: the server has no such position, it is another store or an older copy`,
      {
        cause: error,
      },
    );
  }
  return new StoreUnavailable(`the event store cannot be read (${what}: ${message})`, 'nothing-written', {
    cause: error,
  });
}
