import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { openDatabase } from '#sqlite/open-database.js';
import { bringUpToDate, fileWordsByWeek } from './bring-up-to-date.js';
import {
  ARRIVALS,
  INDEXES,
  MOVES_AND_LEARNING,
  POLLS,
  READINGS,
  SIGHTINGS,
  TABLES,
  TITLES_OF_MOVES,
} from './tables.js';

/** "NETW": the file header of an observed network. */
export const NETWORK_FILE = 0x4e_45_54_57;

const SCHEMA_VERSION = 7;

/**
 * Opens network.db and creates it if it is missing. `onMigration` is called with the progress of the migration of an earlier
 * version's file. `isOpenHere`: another connection of this process has it open. Rejects with `StoreUnusable` or
 * `StoreUnavailable`.
 */
export async function openNetworkDatabase(
  path: string,
  onMigration: (message: string) => void,
  isOpenHere = false,
): Promise<DatabaseSyncInstance> {
  let migrated: string | null = null;
  const db = await openDatabase({
    path,
    isOpenHere,
    applicationId: NETWORK_FILE,
    schemaVersion: SCHEMA_VERSION,
    migrate: (opened, fromVersion) => {
      const onStep = (message: string): void => onMigration(`${path}: ${message}`);
      if (fromVersion > 0) onStep(beginning(opened, fromVersion));
      if (fromVersion === 0) opened.exec(`${TABLES}${MOVES_AND_LEARNING}${INDEXES}`);
      if (fromVersion === 1) migrated = bringUpToDate(opened, path, onStep);
      if (fromVersion < 3) opened.exec(SIGHTINGS);
      if (fromVersion < 4) opened.exec(POLLS);
      if (fromVersion !== 1 && fromVersion < 5) opened.exec(TITLES_OF_MOVES);
      if (fromVersion < 6) opened.exec(READINGS);
      if (fromVersion < 7) opened.exec(ARRIVALS);
      if (fromVersion > 0 && fromVersion < 5) fileWordsByWeek(opened, onStep);
      if (fromVersion === 2) migrated = `${path} was migrated: it can store observations of sources`;
      if (fromVersion === 3 || fromVersion === 4)
        migrated = `${path} was migrated: its words are indexed by week`;
      if (fromVersion === 5) migrated = `${path} was migrated: it stores the reading times of sources`;
      if (fromVersion === 6) migrated = `${path} was migrated: it lists recent arrivals`;
    },
    // Observations can be sent again, so a power failure may lose the last batches.
    synchronous: 'NORMAL',
  });
  if (migrated !== null) onMigration(migrated);
  return db;
}

function beginning(db: DatabaseSyncInstance, fromVersion: number): string {
  const { observations } = db.prepare('SELECT count(*) AS observations FROM observation').get();
  return `${String(observations)} observations are migrated from version ${fromVersion} to ${SCHEMA_VERSION}; an interrupted migration starts again`;
}
