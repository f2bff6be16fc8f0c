import { enrichMembers } from './enrich-members.process.js';
import { executeSignalRun } from './execute-signal-run.process.js';
import { launchScheduledRuns } from './launch-scheduled-runs.process.js';
import { releaseExpiredHolds } from './release-expired-holds.process.js';
import type { Process } from './process.js';

/** Every process there is. */
export const processes: readonly Process[] = [
  executeSignalRun,
  launchScheduledRuns,
  enrichMembers,
  releaseExpiredHolds,
];
