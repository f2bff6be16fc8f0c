import { logIdentity } from '#kernel/commands/log-identity.js';
import { openNamedEventStore } from './open-event-store.js';
import type { EventStoreUrl } from './settings.js';

export type ShownStore = {
  readonly store: string;
  /** null before the first start on it. */
  readonly logId: string | null;
  readonly lastAt: string | null;
  /** Position of the last event; null in an empty log. */
  readonly head: string | null;
};

/** The facts of an event store, without reading all of it. */
export async function showStore(store: EventStoreUrl): Promise<ShownStore> {
  const log = await openNamedEventStore('URL', store);
  try {
    const last = await log.lastEvent();
    return {
      store: store.kind === 'sqlite' ? 'SQLite' : 'EventStoreDB',
      logId: await logIdentity(log),
      lastAt: last?.metadata['recordedAt'] ?? null,
      head: last?.position ?? null,
    };
  } finally {
    await log.close();
  }
}
