import { startService } from '#apps/api/src/service.js';
import { runService } from '#runtime/run-service.js';

// A worker is the service without its public listener, whatever ROLES says.
await runService((settings) => startService({ ...settings, roles: ['worker'] }));
