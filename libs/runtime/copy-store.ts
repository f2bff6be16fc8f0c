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
import { InvalidSetting, type EventStoreUrl, type MongoUrl } from './settings.js';

type Closing = { readonly close: () => Promise<void> };

/**
 * Refuses a file that another process has open. A server does not report who uses it. Must be called before this
 * process opens the file: the driver keeps the lock of a closed store until its memory is collected.
 */
export function refuseWhenInUse(store: EventStoreUrl | MongoUrl): void {
  if (store.kind === 'sqlite' && isOpenElsewhere(store.path)) {
    throw storeInUse({ members: { file: basename(store.path) } });
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
  if (from.kind === 'sqlite' && !existsSync(from.path)) {
    throw new InvalidSetting('--from', 'a file that is there', `sqlite:${from.path}`);
  }
  if (identityOf(from) === identityOf(to)) throw new InvalidSetting('--to', 'another store than --from');
  const source = await openSource(from);
  try {
    const destination = await openDestination(to);
    try {
      return await copyEvents(source, destination, onProgress);
    } finally {
      await destination.close();
    }
  } finally {
    await source.close();
  }
}

async function openSource(from: EventStoreUrl): Promise<CopySource & Closing> {
  switch (from.kind) {
    case 'sqlite': {
      const store = await openSqliteEventStore({ path: from.path });
      return {
        readAll: store.readAll,
        // The file contains only our events, and swept events are counted too, so this is the maximum.
        survey: async () => ({
          events: positionNumber(await store.head()),
          leftOut: { system: 0, foreign: 0 },
          changed: new Map(),
        }),
        close: store.close,
      };
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

async function openDestination(to: EventStoreUrl): Promise<CopyDestination & Closing> {
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

function identityOf(store: EventStoreUrl): string {
  if (store.kind === 'esdb') return store.url;
  return existsSync(store.path) ? realpathSync(store.path) : store.path;
}
