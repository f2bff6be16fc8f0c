import { auditList } from '#ops/audit/audit-list.js';
import { endpointDeliveries } from '#delivery/commands/endpoint-deliveries.js';
import { endpointList } from '#delivery/commands/endpoint-list.js';
import { endpointPause, endpointResume } from '#delivery/commands/endpoint-pause.js';
import { endpointReplay } from '#delivery/commands/endpoint-replay.js';
import { linkAdd } from '#access/commands/link-add.js';
import { linkList } from '#access/commands/link-list.js';
import { linkWithdraw } from '#access/commands/link-withdraw.js';
import { ledgerDays } from '#ledger/commands/ledger-days.js';
import { creditsForecast } from '#monitoring/commands/credits-forecast.js';
import { searchFind } from './commands/search-find.js';
import { agentList } from '#signals/commands/agent-list.js';
import { apiKeyIssue } from '#access/commands/api-key-issue.js';
import { apiKeyList } from '#access/commands/api-key-list.js';
import { apiKeyRevoke } from '#access/commands/api-key-revoke.js';
import { catalogueStatus } from '#catalogue/commands/catalogue-status.js';
import { catalogueSync } from '#catalogue/commands/catalogue-sync.js';
import { clockAdvance } from '#ops/clock/clock-advance.js';
import { clockSet } from '#ops/clock/clock-set.js';
import { contentRequestRetry } from '#accounts/commands/content-request-retry.js';
import { creditsAdjust } from '#ledger/commands/credits-adjust.js';
import { creditsCapture } from '#ledger/commands/credits-capture.js';
import { capsList } from '#ledger/commands/caps-list.js';
import { capsRemove } from '#ledger/commands/caps-remove.js';
import { capsSet } from '#ledger/commands/caps-set.js';
import { creditsGrant } from '#ledger/commands/credits-grant.js';
import { creditsHold } from '#ledger/commands/credits-hold.js';
import { creditsRecurringAdd } from '#ledger/commands/credits-recurring-add.js';
import { creditsRecurringList } from '#ledger/commands/credits-recurring-list.js';
import { creditsRecurringStop } from '#ledger/commands/credits-recurring-stop.js';
import { creditsRelease } from '#ledger/commands/credits-release.js';
import { creditsWithdraw } from '#ledger/commands/credits-withdraw.js';
import { detectionAdd } from '#signals/commands/detection-add.js';
import { ledgerAsOf } from '#ledger/commands/ledger-as-of.js';
import { ledgerCloseMonth } from '#ledger/commands/ledger-close-month.js';
import { ledgerExport } from '#ledger/commands/ledger-export.js';
import { ledgerMovement } from '#ledger/commands/ledger-movement.js';
import { ledgerMovements } from '#ledger/commands/ledger-movements.js';
import { ledgerStatement } from '#ledger/commands/ledger-statement.js';
import { ledgerVerify } from '#ledger/commands/ledger-verify.js';
import { creditsImport } from './commands/credits-import.js';
import { creditsReverseImport } from '#ledger/commands/credits-reverse-import.js';
import { legacyImport } from './commands/legacy-import.js';
import { listBindCrm } from '#lists/commands/list-bind-crm.js';
import { listConvertSegment } from '#lists/commands/list-convert-segment.js';
import { listCrmSync } from '#lists/commands/list-crm-sync.js';
import { mappingRematerialize } from '#accounts/commands/mapping-rematerialize.js';
import { logEvent } from '#ops/log/log-event.js';
import { logList } from '#ops/log/log-list.js';
import { logStream } from '#ops/log/log-stream.js';
import { monitoringAccounts } from '#monitoring/commands/monitoring-accounts.js';
import { monitoringForecast } from '#monitoring/commands/monitoring-forecast.js';
import { monitoringVerify } from '#monitoring/commands/monitoring-verify.js';
import { networkCheck } from '#ops/network/network-check.js';
import { networkIngest } from '#ops/network/network-ingest.js';
import type { ExportCommand, OperatorCommand, StreamCommand } from '#ops/support/operator-command.js';
import { operatorAdd } from '#access/commands/operator-add.js';
import { operatorList } from '#access/commands/operator-list.js';
import { operatorRevoke } from '#access/commands/operator-revoke.js';
import { operatorRotate } from '#access/commands/operator-rotate.js';
import { partnerCreate } from '#catalogue/commands/partner-create.js';
import { partnerList } from '#catalogue/commands/partner-list.js';
import { partnerRate } from '#catalogue/commands/partner-rate.js';
import { personaArchive } from '#lists/commands/persona-archive.js';
import { pricesList } from '#catalogue/commands/prices-list.js';
import { pricesSet } from '#catalogue/commands/prices-set.js';
import { projectionsAbandon, projectionsCancel } from '#ops/projections/projections-cancel.js';
import { projectionsList } from '#ops/projections/projections-list.js';
import { projectionsParked } from '#ops/projections/projections-parked.js';
import { projectionsPrune } from '#ops/projections/projections-prune.js';
import { projectionsRebuild, projectionsRollback } from '#ops/projections/projections-rebuild.js';
import { projectionsRetry } from '#ops/projections/projections-retry.js';
import { projectionsStatus } from '#ops/projections/projections-status.js';
import { projectionsVerify } from '#ops/projections/projections-verify.js';
import { runCancel } from '#signals/commands/run-cancel.js';
import { runList } from '#signals/commands/run-list.js';
import { setupList } from '#signals/commands/setup-list.js';
import { sourceAdd } from '#sources/commands/source-add.js';
import { sourceList } from '#sources/commands/source-list.js';
import { sourceShow } from '#sources/commands/source-show.js';
import { sourceTest } from '#sources/commands/source-test.js';
import { sourcePoll } from '#sources/commands/source-poll.js';
import { sourcePause, sourceRemove, sourceResume } from '#sources/commands/source-pause.js';
import { sourceShare } from '#sources/commands/source-share.js';
import { sourceTerms } from '#sources/commands/source-terms.js';
import { sourceImport } from '#sources/commands/source-import.js';
import { topAccountAssign, topAccountRemove } from '#accounts/commands/top-account-assign.js';
import { topAccountCrmTier } from '#accounts/commands/top-account-crm-tier.js';
import { runShow } from '#signals/commands/run-show.js';
import { signalList } from '#signals/commands/signal-list.js';
import { signalShow } from '#signals/commands/signal-show.js';
import { scheduleList } from '#signals/commands/schedule-list.js';
import { workDue } from '#ops/work/work-due.js';
import { holdList } from '#ledger/commands/hold-list.js';
import { workDrain } from '#ops/work/work-drain.js';
import { workspaceBilling } from '#catalogue/commands/workspace-billing.js';
import { workspaceBlock, workspaceUnblock } from '#access/commands/workspace-block.js';
import { workspaceCreate } from './commands/workspace-create.js';
import { workspaceFeatures } from '#access/commands/workspace-features.js';
import { workspaceList } from './commands/workspace-list.js';
import { workspaceShow } from './commands/workspace-show.js';

/** All operator commands: the command line and the private listener serve this list. */
export const operatorCommands: readonly OperatorCommand[] = [
  workspaceCreate,
  workspaceList,
  workspaceShow,
  workspaceBlock,
  workspaceUnblock,
  workspaceFeatures,
  workspaceBilling,
  apiKeyIssue,
  apiKeyList,
  apiKeyRevoke,
  operatorAdd,
  operatorList,
  operatorRotate,
  operatorRevoke,
  linkAdd,
  linkList,
  linkWithdraw,
  auditList,
  endpointList,
  endpointDeliveries,
  endpointPause,
  endpointResume,
  endpointReplay,
  searchFind,
  creditsGrant,
  creditsWithdraw,
  creditsHold,
  creditsCapture,
  creditsRelease,
  creditsAdjust,
  creditsReverseImport,
  capsSet,
  capsList,
  capsRemove,
  creditsRecurringAdd,
  creditsRecurringList,
  creditsRecurringStop,
  pricesSet,
  pricesList,
  partnerCreate,
  partnerList,
  partnerRate,
  catalogueSync,
  catalogueStatus,
  personaArchive,
  listConvertSegment,
  listBindCrm,
  listCrmSync,
  topAccountAssign,
  contentRequestRetry,
  topAccountRemove,
  topAccountCrmTier,
  mappingRematerialize,
  sourceAdd,
  sourceList,
  sourceShow,
  sourceTest,
  sourcePoll,
  sourcePause,
  sourceResume,
  sourceShare,
  sourceTerms,
  sourceRemove,
  agentList,
  setupList,
  runList,
  runShow,
  runCancel,
  signalList,
  signalShow,
  scheduleList,
  detectionAdd,
  ledgerStatement,
  ledgerAsOf,
  ledgerVerify,
  ledgerCloseMonth,
  ledgerMovement,
  ledgerMovements,
  holdList,
  ledgerDays,
  creditsForecast,
  monitoringVerify,
  monitoringAccounts,
  monitoringForecast,
  projectionsList,
  projectionsStatus,
  projectionsRebuild,
  projectionsCancel,
  projectionsAbandon,
  projectionsRollback,
  projectionsPrune,
  projectionsVerify,
  projectionsParked,
  projectionsRetry,
  workDue,
  logList,
  logStream,
  logEvent,
  workDrain,
  clockSet,
  clockAdvance,
];

export const streamCommands: readonly StreamCommand[] = [
  networkIngest,
  networkCheck,
  sourceImport,
  legacyImport,
  creditsImport,
];

export const exportCommands: readonly ExportCommand[] = [ledgerExport];
