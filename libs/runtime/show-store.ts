import { logIdentity } from '#kernel/commands/log-identity.js';
import { openNamedEventStore } from './open-event-store.js';
import type { EventStoreUrl } from './settings.js';
import { whileOpen } from './while-open.js';

export type ShownStore = {
  readonly store: string;
  /** null before the first start on it. */
  readonly logId: string | null;
  readonly lastAt: string | null;
  /** Position of the last event; null in an empty log. */
  readonly head: string | null;
};

/** The facts of an event store, without reading all of it. */
export function showStore(store: EventStoreUrl): Promise<ShownStore> {
  return whileOpen(
    () => openNamedEventStore('URL', store),
    async (log) => {
      const last = await log.lastEvent();
      return {
        store: store.kind === 'sqlite' ? 'SQLite' : 'EventStoreDB',
        logId: await logIdentity(log),
        lastAt: last?.metadata['recordedAt'] ?? null,
        head: last?.position ?? null,
      };
    },
  );
}
