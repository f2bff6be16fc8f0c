import { locationTable } from '#identities/locations/location-table.js';
import { runService } from '#runtime/run-service.js';
import { startService } from './service.js';

export const run = (): Promise<void> =>
  runService((settings, stopping) => {
    // Made here it delays the start and not the first requests about countries, by tens of milliseconds.
    locationTable();
    return startService(settings, { stopping, hasWorkThread: true });
  });
