import { runService } from '#runtime/run-service.js';
import { startService } from './service.js';

await runService(startService);
