import { setMaxListeners } from 'node:events';
import { EventStoreDBClient } from '@eventstore/db-client';
import { StoreUnavailable, StoreUnusable } from '#kernel/ports/event-store.port.js';
import { shownAddress } from '#kernel/values/shown-address.js';
import { openBatchAppends, type BatchAppends } from './batch-appends.js';
import { closeChannel } from './client-internals.js';
import { failureOf, Silence } from './client-errors.js';

/** One client with the stream of its appends; used until it is replaced. */
export type ClientLine = {
  readonly client: EventStoreDBClient;
  readonly appends: BatchAppends;
  /** Aborts when the client is replaced: the client itself would never end its readers. */
  readonly lost: AbortSignal;
};

export type ServerConnection = {
  /** The current client. Throws `StoreUnavailable` once closed. */
  readonly line: () => ClientLine;
  /** A call failed: the client is replaced if the error means that the connection, and not the call, is broken. */
  readonly failed: (line: ClientLine, error: unknown) => void;
  readonly worked: () => void;
  readonly isClosed: () => boolean;
  /** Replaces the client and cancels its calls. */
  readonly close: () => Promise<void>;
};

/** A plain connection reconnects by itself; after so many failures in a row it is replaced anyway. */
const MOST_FAILURES = 3;
const CONNECTION_FAILURES = new Set(['unavailable', 'cancelled', 'deadline-exceeded']);
const UNAVAILABLE = 14;

/** Holds the only client of the process for this server. Throws `StoreUnusable` for a bad connection string. */
export function openConnection(url: string): ServerConnection {
  let current: { readonly line: ClientLine; readonly end: (reason: Error) => Promise<void> } | null = null;
  let failures = 0;
  let closed = false;
  const endings = new Set<Promise<void>>();

  const open = (): NonNullable<typeof current> => {
    const client = newClient(url);
    const appends = openBatchAppends(client);
    const lost = new AbortController();
    // Every reader of the process listens to it.
    setMaxListeners(0, lost.signal);
    return {
      line: { client, appends, lost: lost.signal },
      end: async (reason) => {
        lost.abort(reason);
        appends.close(reason);
        // Cancels immediately; waiting for the end of every stream may take longer than the server lives.
        void client.dispose();
        await closeChannel(client);
      },
    };
  };
  const giveUp = (reason: Error): void => {
    const ending = current?.end(reason).catch(() => undefined);
    current = null;
    failures = 0;
    if (ending === undefined) return;
    endings.add(ending);
    void ending.then(() => endings.delete(ending));
  };

  current = open();
  return {
    line: () => {
      if (closed) throw new StoreUnavailable('the event store is closed');
      current ??= open();
      return current.line;
    },
    failed: (line, error) => {
      if (current?.line !== line) return;
      const { type, code, message } = failureOf(error);
      const isConnection = type === null ? code === UNAVAILABLE : CONNECTION_FAILURES.has(type);
      if (isConnection) failures += 1;
      // A client does not recover from a failed discovery, nor from a silent connection.
      const isDead = error instanceof Silence || (type === null && code === null);
      if (isDead || failures >= MOST_FAILURES) giveUp(new Error(`connection given up: ${message}`));
    },
    worked: () => {
      failures = 0;
    },
    isClosed: () => closed,
    close: async () => {
      closed = true;
      giveUp(new StoreUnavailable('the event store is closed'));
      await Promise.all(endings);
    },
  };
}

function newClient(url: string): EventStoreDBClient {
  try {
    return EventStoreDBClient.connectionString(url);
  } catch (error) {
    // The client quotes the whole string with its password.
    const reason = shownAddress(failureOf(error).message);
    throw new StoreUnusable(`the connection string of the event store cannot be used: ${reason}`);
  }
}
