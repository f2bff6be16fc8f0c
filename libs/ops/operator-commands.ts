import { agentList } from './agents/agent-list.js';
import { apiKeyIssue } from './api-keys/api-key-issue.js';
import { apiKeyList } from './api-keys/api-key-list.js';
import { apiKeyRevoke } from './api-keys/api-key-revoke.js';
import { catalogueStatus } from './catalogue/catalogue-status.js';
import { catalogueSync } from './catalogue/catalogue-sync.js';
import { clockAdvance } from './clock/clock-advance.js';
import { clockSet } from './clock/clock-set.js';
import { contentRequestRetry } from './content-requests/content-request-retry.js';
import { creditsAdjust } from './credits/credits-adjust.js';
import { creditsCapture } from './credits/credits-capture.js';
import { creditsGrant } from './credits/credits-grant.js';
import { creditsHold } from './credits/credits-hold.js';
import { creditsRelease } from './credits/credits-release.js';
import { creditsWithdraw } from './credits/credits-withdraw.js';
import { detectionAdd } from './detections/detection-add.js';
import { ledgerAsOf } from './ledger/ledger-as-of.js';
import { ledgerCloseMonth } from './ledger/ledger-close-month.js';
import { ledgerExport } from './ledger/ledger-export.js';
import { ledgerMovement } from './ledger/ledger-movement.js';
import { ledgerMovements } from './ledger/ledger-movements.js';
import { ledgerStatement } from './ledger/ledger-statement.js';
import { ledgerVerify } from './ledger/ledger-verify.js';
import { listBindCrm } from './lists/list-bind-crm.js';
import { listConvertSegment } from './lists/list-convert-segment.js';
import { listCrmSync } from './lists/list-crm-sync.js';
import { mappingRematerialize } from './mappings/mapping-rematerialize.js';
import { monitoringForecast } from './monitoring/monitoring-forecast.js';
import { monitoringVerify } from './monitoring/monitoring-verify.js';
import { networkCheck } from './network/network-check.js';
import { networkIngest } from './network/network-ingest.js';
import type { ExportCommand, OperatorCommand, StreamCommand } from './support/operator-command.js';
import { partnerCreate } from './partners/partner-create.js';
import { partnerList } from './partners/partner-list.js';
import { partnerRate } from './partners/partner-rate.js';
import { personaArchive } from './personas/persona-archive.js';
import { pricesList } from './prices/prices-list.js';
import { pricesSet } from './prices/prices-set.js';
import { projectionsAbandon, projectionsCancel } from './projections/projections-cancel.js';
import { projectionsList } from './projections/projections-list.js';
import { projectionsParked } from './projections/projections-parked.js';
import { projectionsRebuild, projectionsRollback } from './projections/projections-rebuild.js';
import { projectionsRetry } from './projections/projections-retry.js';
import { projectionsStatus } from './projections/projections-status.js';
import { projectionsVerify } from './projections/projections-verify.js';
import { runCancel } from './runs/run-cancel.js';
import { runList } from './runs/run-list.js';
import { setupList } from './setups/setup-list.js';
import { topAccountAssign, topAccountRemove } from './top-accounts/top-account-assign.js';
import { topAccountCrmTier } from './top-accounts/top-account-crm-tier.js';
import { workDrain } from './work/work-drain.js';
import { workspaceBilling } from './workspaces/workspace-billing.js';
import { workspaceBlock, workspaceUnblock } from './workspaces/workspace-block.js';
import { workspaceCreate } from './workspaces/workspace-create.js';
import { workspaceFeatures } from './workspaces/workspace-features.js';
import { workspaceList } from './workspaces/workspace-list.js';
import { workspaceShow } from './workspaces/workspace-show.js';

/** Every operator command there is: the CLI and the private listener serve what stands here. */
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
  creditsGrant,
  creditsWithdraw,
  creditsHold,
  creditsCapture,
  creditsRelease,
  creditsAdjust,
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
  agentList,
  setupList,
  runList,
  runCancel,
  detectionAdd,
  ledgerStatement,
  ledgerAsOf,
  ledgerVerify,
  ledgerCloseMonth,
  ledgerMovement,
  ledgerMovements,
  monitoringVerify,
  monitoringForecast,
  projectionsList,
  projectionsStatus,
  projectionsRebuild,
  projectionsCancel,
  projectionsAbandon,
  projectionsRollback,
  projectionsVerify,
  projectionsParked,
  projectionsRetry,
  workDrain,
  clockSet,
  clockAdvance,
];

export const streamCommands: readonly StreamCommand[] = [networkIngest, networkCheck];

export const exportCommands: readonly ExportCommand[] = [ledgerExport];
