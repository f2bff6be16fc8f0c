import { matches } from '#test/contract/naive-query.js';
import type { JsonObject } from '#kernel/values/json.js';
import { foldInto, keysOf, type Projection } from '#kernel/projections/projection.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { Recall } from '#kernel/ports/recall.port.js';
import type { SnapshotStore } from '#kernel/ports/snapshot-store.port.js';
import { creditMovements } from '#projections/ledger/credit-movements/credit-movements.projection.js';
import { creditPostings } from '#projections/ledger/credit-postings/credit-postings.projection.js';
import { chargeIndex } from '#ledger/charging/charge-index.js';
import type { Carrier, EventLog } from './memory-event-store.js';

const views: readonly Projection[] = [creditMovements, creditPostings];

/**
 * The read models of old charge keys, folded naively and any number of events behind the log; and the store of
 * snapshots. Both may be unavailable, and a snapshot may be lost.
 */
export class LaggingIndex {
  /** By view and key, as text, because a store shares no objects. */
  private readonly documents = new Map(views.map(({ name }) => [name, new Map<string, string>()]));
  private readonly snapshots = new Map<string, JsonObject>();
  private folded = 0;

  constructor(private readonly log: EventLog) {}

  /** Folds the next events. */
  goOn(events: number): void {
    for (const event of this.log.all.slice(this.folded, this.folded + events)) {
      for (const view of views) {
        const documents = this.documents.get(view.name);
        if (view.on[event.type] === undefined || documents === undefined) continue;
        for (const key of keysOf(view, event)) {
          const document = foldInto(view, JSON.parse(documents.get(key) ?? 'null'), event, key);
          if (document !== null) documents.set(key, JSON.stringify(document));
        }
      }
      this.folded += 1;
    }
  }

  loseSnapshots(): void {
    this.snapshots.clear();
  }

  /** The look-ups of one process, over its own carrier. */
  recall(carrier: Carrier): Recall {
    const behind = (): string => this.log.all[this.folded - 1]?.position ?? '';
    const reached = async (): Promise<boolean> => false;
    const standing = () =>
      carrier(
        'read',
        () => ({ position: behind(), isParked: false, parkedAt: null, isHalted: false }) as const,
      );
    const unasked = () => Promise.reject(new Error('the charge index does not ask this'));
    const documentsOf = (view: string): ReadonlyMap<string, string> => this.documents.get(view) ?? new Map();
    const readModels: ReadModels = {
      find: (view, query) =>
        carrier('read', () =>
          [...documentsOf(view.name).values()]
            .map((text) => JSON.parse(text))
            .filter((document) => matches(document, query)),
        ),
      getMany: (view, keys) =>
        carrier('read', () => {
          const documents = documentsOf(view.name);
          const known = keys.filter((key) => documents.has(key));
          return new Map(known.map((key) => [key, JSON.parse(documents.get(key) ?? 'null')]));
        }),
      get: unasked,
      count: unasked,
      groups: unasked,
    };
    return chargeIndex(readModels, { standing, reached });
  }

  snapshotStore(carrier: Carrier): SnapshotStore {
    return {
      read: (stream) => carrier('read', () => this.snapshots.get(stream) ?? null),
      write: (stream, snapshot) => carrier('read', () => void this.snapshots.set(stream, snapshot)),
    };
  }
}
