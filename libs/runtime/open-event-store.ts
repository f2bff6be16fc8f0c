import { existsSync } from 'node:fs';
import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import type { LoopTurn } from '#kernel/commands/loop-turn.js';
import { StoreUnusable, type EventStore } from '#kernel/ports/event-store.port.js';
import { readStoreHeader } from '#sqlite/file-header.js';
import { InvalidSetting, type EventStoreUrl } from './settings.js';

/** Settings of an embedded event store only: a server decides itself when and how it writes. */
export type EmbeddedOptions = {
  /** Called with the duration of each transaction, in seconds. */
  readonly onCommitted?: (seconds: number) => void;
  /** The turn of the command path of this process. */
  readonly turn?: LoopTurn;
  /** Called with the reason when the log of the file cannot be checkpointed, and with null when it can again. */
  readonly onTrouble?: (reason: string | null) => void;
};

/** Opens the event store at an address; a missing file is created. */
export async function openEventStore(
  store: EventStoreUrl,
  options: EmbeddedOptions = {},
): Promise<EventStore> {
  if (store.kind === 'sqlite') return openSqliteEventStore({ ...options, path: store.path });
  // The client is loaded only if it is used: it would take a third of a second of every start.
  const { openEventStoreDb } = await import('#event-store/eventstoredb/eventstoredb-event-store.js');
  return openEventStoreDb({ url: store.url });
}

/**
 * Opens an existing event store; `option` is the option that named it. Throws `InvalidSetting`, and `StoreUnusable` for
 * a file that is no event store.
 */
export async function openNamedEventStore(option: string, store: EventStoreUrl): Promise<EventStore> {
  if (store.kind === 'sqlite') {
    requireFile(option, store.path);
    await requireDatabase(store.path);
  }
  return openEventStore(store);
}

/** Throws `InvalidSetting` unless the file that `option` names exists. */
export function requireFile(option: string, path: string): void {
  if (!existsSync(path)) throw new InvalidSetting(option, 'a file that is there', `sqlite:${path}`);
}

/** Opening an empty file would create a store in it. */
export async function requireDatabase(path: string): Promise<void> {
  const { kind } = await readStoreHeader(path);
  if (kind === 'irregular') throw new StoreUnusable(`${path} is not a regular file`);
  if (kind !== 'sqlite') throw new StoreUnusable(`${path} is not an SQLite database`);
}
