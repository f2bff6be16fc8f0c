import { runService } from '#runtime/run-service.js';
import { startService } from './service.js';

export const run = (): Promise<void> =>
  runService((settings, stopping) => startService(settings, { stopping, hasWorkThread: true }));
