import { runService } from '#runtime/run-service.js';
import { consolePages } from '#apps/console/src/console.module.js';
import { startService } from '#runtime/start-service.js';

// A worker has no public listener, with any ROLES.
export const run = (): Promise<void> =>
  runService((settings, stopping) =>
    startService({ ...settings, roles: ['worker'] }, undefined, { stopping }, consolePages),
  );
