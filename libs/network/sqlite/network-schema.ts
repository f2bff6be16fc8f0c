import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { openDatabase } from '#sqlite/open-database.js';
import { bringUpToDate } from './bring-up-to-date.js';
import { INDEXES, MOVES_AND_LEARNING, POLLS, SIGHTINGS, TABLES } from './tables.js';

/** "NETW": says in the file's header that it is an observed network. */
const APPLICATION_ID = 0x4e_45_54_57;

/** Opens network.db, creating it where it is missing. Rejects with `StoreUnusable` or `StoreUnavailable`. */
export async function openNetworkDatabase(
  path: string,
  tell: (message: string) => void,
): Promise<DatabaseSyncInstance> {
  let told: string | null = null;
  const db = await openDatabase({
    path,
    applicationId: APPLICATION_ID,
    schemaVersion: 4,
    migrate: (opened, fromVersion) => {
      if (fromVersion === 0) opened.exec(`${TABLES}${MOVES_AND_LEARNING}${INDEXES}`);
      if (fromVersion === 1) told = bringUpToDate(opened, path);
      if (fromVersion < 3) opened.exec(SIGHTINGS);
      opened.exec(POLLS);
      if (fromVersion === 2) told = `${path} was brought up to date: it can keep what sources bring`;
    },
    // What was observed can be sent again, so the last batches may be lost to a power cut.
    synchronous: 'NORMAL',
  });
  if (told !== null) tell(told);
  return db;
}

/** Room for so many texts in one second. Seconds and room together stay below 2^53. */
export const TEXTS_PER_SECOND = 2 ** 21;
const LAST_SECOND = 2 ** 32 - 1;

/** The second that a text is filed under: those before 1970 in the first one, those after 2106 in the last. */
export function textSecond(atMs: number): number {
  return Math.min(Math.max(Math.floor(atMs / 1_000), 0), LAST_SECOND);
}

/** The last moment that is filed under a second, in milliseconds. */
export function endOfSecondMs(second: number): number {
  return second === LAST_SECOND ? Number.MAX_SAFE_INTEGER : (second + 1) * 1_000 - 1;
}
