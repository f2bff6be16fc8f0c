import { enrichMembers } from '#lists/enrich-members.process.js';
import { executeSignalRun } from '#signals/runs/execute-signal-run.process.js';
import { followMonitoredLists } from '#monitoring/follow-monitored-lists.process.js';
import { finishEnrichmentLaunches } from '#accounts/mappings/finish-enrichment-launches.process.js';
import { launchMonitoringPasses } from '#signals/runs/launch-monitoring-passes.process.js';
import { launchScheduledRuns } from '#signals/runs/launch-scheduled-runs.process.js';
import { mapCompany } from '#accounts/mappings/map-company.process.js';
import { topAccountMapping } from '#accounts/mappings/map-top-accounts.process.js';
import { payWaitingMonths } from '#monitoring/pay-months.js';
import { holdOwners } from './hold-owners.js';
import { giveRecurringGrants } from '#ledger/charging/give-recurring-grants.process.js';
import { recordLotExpiries } from '#ledger/charging/record-expiries.process.js';
import { expiredHoldsSweeps } from '#ledger/charging/release-expired-holds.process.js';
import { resolveTopAccounts } from '#accounts/top-accounts/resolve-top-accounts.process.js';
import { renewAccountMonitoring } from '#monitoring/renew-account-monitoring.process.js';
import { retryAccountMonitoring } from '#monitoring/retry-account-monitoring.process.js';
import { monthsDue } from '#monitoring/months-due.js';
import { foreseeBalances } from '#ledger/forecast/foresee-balances.process.js';
import type { Process } from '#process-engine/process.js';

/** The sweeps of expired holds, for every kind of work that holds credits. */
export const { releaseExpiredHolds, releaseRestedHolds } = expiredHoldsSweeps(holdOwners);

/** The mapping of top accounts: uncovered months are paid before it. */
export const mapTopAccounts = topAccountMapping(payWaitingMonths);

/** The hourly check of balances, with the months that fall due. */
const foreseeEachBalance = foreseeBalances(monthsDue);

/** All processes. */
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
  giveRecurringGrants,
  foreseeEachBalance,
  resolveTopAccounts,
  followMonitoredLists,
  renewAccountMonitoring,
  retryAccountMonitoring,
  mapTopAccounts,
];

/** Those of a service: daily passes can be left to another service, or be off (OP-38). */
export const processesOf = ({
  monitoringPass,
}: {
  readonly monitoringPass: 'on' | 'off' | 'live';
}): readonly Process[] =>
  monitoringPass === 'off' ? processes.filter((process) => process !== launchMonitoringPasses) : processes;
