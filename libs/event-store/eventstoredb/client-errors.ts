import { StoreUnavailable, StoreUnusable } from '#kernel/ports/event-store.port.js';

/** What an error of the client tells; its name is always "Error", and its message often empty. */
export type ClientFailure = {
  /** The client's own kind, such as `unavailable`; null for an error of gRPC itself or of discovery. */
  readonly type: string | null;
  /** gRPC status code. */
  readonly code: number | null;
  readonly message: string;
};

/** Nothing came for as long as we wait: the client's own deadlines do not notice a silent server. */
export class Silence extends Error {
  constructor(what: string, afterMs: number) {
    super(`no answer to ${what} within ${afterMs} ms`);
    this.name = 'Silence';
  }
}

export function failureOf(error: unknown): ClientFailure {
  // gRPC ends its messages with the beginnings of sentences that it had nothing to say in.
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

/** True when the request cannot have left: there was no connection to send it on. */
export function neverSent(error: unknown): boolean {
  const { message } = failureOf(error);
  return /No connection established|Name resolution failed|Failed to discover|ECONNREFUSED/.test(message);
}

const DELETED = 'stream-deleted';
const INVALID_POSITION = /invalid (read )?position/i;

/** What an error of a read means to the callers of the store. */
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
