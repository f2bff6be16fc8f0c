import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import type { LoopTurn } from '#kernel/commands/loop-turn.js';
import { openThreadReadStore } from '#read-store/sqlite/open-thread-read-store.js';
import type { SharedWriteOrder } from '#read-store/sqlite/write-order.js';
import type { Settings } from './settings.js';
import { openNetworkStore, openSecretStore, type Stores } from './stores.js';

export type StoresBeside = {
  /** The order of writes to the read models, shared with the event loop of the process. */
  readonly turns: SharedWriteOrder;
  readonly turn?: LoopTurn | undefined;
  readonly onCommitted?: ((seconds: number) => void) | undefined;
};

/**
 * Opens the stores of a process on another thread: with connections of its own to files that the event loop has open
 * and maintains. Events and read models must be embedded. Must be closed before the thread ends and before the event
 * loop closes its own.
 */
export async function openStoresBeside(
  settings: Settings,
  { turns, turn, onCommitted }: StoresBeside,
): Promise<Stores> {
  const { eventStore, readStore, networkStore, networkBaseUrl } = settings;
  if (eventStore.kind !== 'sqlite' || readStore.kind !== 'sqlite')
    throw new Error('only embedded stores are opened on a second thread');
  const opened: { close: () => Promise<void> }[] = [];
  const open = async <Store extends { close: () => Promise<void> }>(
    opening: Promise<Store>,
  ): Promise<Store> => {
    const store = await opening;
    opened.unshift(store);
    return store;
  };
  const close = async (): Promise<void> => {
    for (const store of opened) await store.close();
  };
  try {
    const reads = await open(openThreadReadStore(readStore.path, turns));
    const events = await open(
      openSqliteEventStore({
        path: eventStore.path,
        isBeside: true,
        ...(turn === undefined ? {} : { turn }),
        ...(onCommitted === undefined ? {} : { onCommitted }),
      }),
    );
    const network = await open(openNetworkStore(networkStore, { networkBaseUrl, isBeside: true }));
    const secrets = await open(openSecretStore(settings, true));
    return {
      events,
      reads,
      network,
      secrets,
      embedded: null,
      kinds: [],
      notices: [],
      degraded: () => [],
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
