import { existsSync, realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { copyEvents, type CopyProgress, type CopyResult } from '#event-store/copy/copy-events.js';
import {
  oneAppendAtATime,
  wavesAtOnce,
  type CopyDestination,
  type CopySource,
} from '#event-store/copy/copy-ends.js';
import { storeInUse } from '#event-store/copy/copy-refusals.js';
import { isOpenElsewhere } from '#event-store/sqlite/open-elsewhere.js';
import { positionNumber } from '#event-store/sqlite/position-text.js';
import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import { StoreDamaged, type EventStore } from '#kernel/ports/event-store.port.js';
import { requireFile } from './open-event-store.js';
import { InvalidSetting, type EventStoreUrl, type MongoUrl } from './settings.js';
import { whileOpen, type Closable } from './while-open.js';

/**
 * Refuses a file that another process has open. A server does not report who uses it. Must be called before this
 * process opens the file: the driver keeps the lock of a closed store until its memory is collected.
 */
export function refuseWhenInUse(store: EventStoreUrl | MongoUrl): void {
  if (store.kind === 'sqlite' && isOpenElsewhere(store.path)) {
    throw storeInUse({ members: { file: basename(store.path) } });
  }
}

/** As `refuseWhenInUse`, for a file that is to be replaced: a damaged one cannot say who uses it. */
export function refuseToReplaceInUse(store: EventStoreUrl): void {
  try {
    refuseWhenInUse(store);
  } catch (error) {
    if (!(error instanceof StoreDamaged)) throw error;
  }
}

/**
 * Copies one event store into another, see `copyEvents`. Throws `InvalidSetting` for addresses that cannot be
 * intended.
 */
export async function copyStore(
  from: EventStoreUrl,
  to: EventStoreUrl,
  onProgress?: (progress: CopyProgress) => void,
): Promise<CopyResult> {
  requireTwoStores(from, to);
  return whileOpen(
    () => openSource(from),
    (source) =>
      whileOpen(
        () => openDestination(to),
        (destination) => copyEvents(source, destination, onProgress),
      ),
  );
}

/** Throws `InvalidSetting` for a copy of a missing file, and for one of a store onto itself. */
export function requireTwoStores(from: EventStoreUrl | MongoUrl, to: EventStoreUrl | MongoUrl): void {
  if (from.kind === 'sqlite') requireFile('--from', from.path);
  if (identityOf(from) === identityOf(to)) throw new InvalidSetting('--to', 'another store than --from');
}

/** The file contains only our events, and swept events are counted too: their number is the maximum. */
export const sourceOfFile = ({ readAll, head }: Pick<EventStore, 'readAll' | 'head'>): CopySource => ({
  readAll,
  survey: async () => ({
    events: positionNumber(await head()),
    leftOut: { system: 0, foreign: 0 },
    changed: new Map(),
  }),
});

async function openSource(from: EventStoreUrl): Promise<CopySource & Closable> {
  switch (from.kind) {
    case 'sqlite': {
      const store = await openSqliteEventStore({ path: from.path });
      return { ...sourceOfFile(store), close: store.close };
    }
    case 'esdb': {
      const { openEventStoreDb } = await import('#event-store/eventstoredb/eventstoredb-event-store.js');
      const store = await openEventStoreDb({ url: from.url });
      return {
        readAll: store.readAll,
        survey: async (onRecords) => {
          const { own, system, foreign, changed } = await store.census(onRecords);
          return { events: own, leftOut: { system, foreign }, changed };
        },
        close: store.close,
      };
    }
  }
}

async function openDestination(to: EventStoreUrl): Promise<CopyDestination & Closable> {
  switch (to.kind) {
    case 'sqlite': {
      const store = await openSqliteEventStore({ path: to.path });
      return { ...wavesAtOnce(store), close: store.close };
    }
    case 'esdb': {
      const { openEventStoreDb } = await import('#event-store/eventstoredb/eventstoredb-event-store.js');
      const store = await openEventStoreDb({ url: to.url });
      return { ...oneAppendAtATime(store), close: store.close };
    }
  }
}

function identityOf(store: EventStoreUrl | MongoUrl): string {
  if (store.kind !== 'sqlite') return store.url;
  return existsSync(store.path) ? realpathSync(store.path) : store.path;
}
