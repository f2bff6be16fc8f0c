import { enrichMembers } from './enrich-members.process.js';
import { executeSignalRun } from './execute-signal-run.process.js';
import { followMonitoredLists } from './follow-monitored-lists.process.js';
import { finishEnrichmentLaunches } from './finish-enrichment-launches.process.js';
import { launchMonitoringPasses } from './launch-monitoring-passes.process.js';
import { launchScheduledRuns } from './launch-scheduled-runs.process.js';
import { mapCompany } from './map-company.process.js';
import { mapTopAccounts } from './map-top-accounts.process.js';
import { holdOwners } from '#charging/hold-owners.js';
import { recordLotExpiries } from './record-expiries.process.js';
import { expiredHoldsSweeps } from './release-expired-holds.process.js';
import { resolveTopAccounts } from './resolve-top-accounts.process.js';
import { renewAccountMonitoring } from './renew-account-monitoring.process.js';
import { retryAccountMonitoring } from './retry-account-monitoring.process.js';
import type { Process } from './process.js';

/** The sweeps of expired holds, for every kind of work that holds credits. */
export const { releaseExpiredHolds, releaseRestedHolds } = expiredHoldsSweeps(holdOwners);

/** Every process there is. */
export const processes: readonly Process[] = [
  executeSignalRun,
  launchScheduledRuns,
  launchMonitoringPasses,
  enrichMembers,
  finishEnrichmentLaunches,
  mapCompany,
  releaseExpiredHolds,
  releaseRestedHolds,
  recordLotExpiries,
  resolveTopAccounts,
  followMonitoredLists,
  renewAccountMonitoring,
  retryAccountMonitoring,
  mapTopAccounts,
];

/** Those of a service: daily passes can be left to another one, or to nobody (OP-38). */
export const processesOf = ({ monitoringPass }: { readonly monitoringPass: boolean }): readonly Process[] =>
  monitoringPass ? processes : processes.filter((process) => process !== launchMonitoringPasses);
