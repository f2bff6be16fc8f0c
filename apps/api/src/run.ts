import { runService } from '#runtime/run-service.js';
import { startService } from './service.js';

await runService((settings, stopping) => startService(settings, { stopping, hasWorkThread: true }));
