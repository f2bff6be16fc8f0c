import { apiKeyIssue } from './apikey-issue.js';
import { apiKeyRevoke } from './apikey-revoke.js';
import { catalogueStatus } from './catalogue-status.js';
import { catalogueSync } from './catalogue-sync.js';
import { clockAdvance } from './clock-advance.js';
import { clockSet } from './clock-set.js';
import { creditsAdjust } from './credits-adjust.js';
import { creditsCapture } from './credits-capture.js';
import { creditsGrant } from './credits-grant.js';
import { creditsHold } from './credits-hold.js';
import { creditsRelease } from './credits-release.js';
import { creditsWithdraw } from './credits-withdraw.js';
import { detectionAdd } from './detection-add.js';
import { ledgerAsOf } from './ledger-as-of.js';
import { ledgerCloseMonth } from './ledger-close-month.js';
import { ledgerExport } from './ledger-export.js';
import { ledgerMovement } from './ledger-movement.js';
import { ledgerMovements } from './ledger-movements.js';
import { ledgerStatement } from './ledger-statement.js';
import { ledgerVerify } from './ledger-verify.js';
import { listBindCrm } from './list-bind-crm.js';
import { listConvertSegment } from './list-convert-segment.js';
import { listCrmSync } from './list-crm-sync.js';
import { networkIngest } from './network-ingest.js';
import type { ExportCommand, OperatorCommand, StreamCommand } from './operator-command.js';
import { partnerCreate } from './partner-create.js';
import { partnerRate } from './partner-rate.js';
import { personaArchive } from './persona-archive.js';
import { pricesSet } from './prices-set.js';
import { projectionsAbandon, projectionsCancel } from './projections-cancel.js';
import { projectionsList } from './projections-list.js';
import { projectionsParked } from './projections-parked.js';
import { projectionsRebuild, projectionsRollback } from './projections-rebuild.js';
import { projectionsRetry } from './projections-retry.js';
import { projectionsStatus } from './projections-status.js';
import { projectionsVerify } from './projections-verify.js';
import { topAccountAssign, topAccountCrmTier, topAccountRemove } from './topaccount.js';
import { workDrain } from './work-drain.js';
import { workspaceBilling } from './workspace-billing.js';
import { workspaceBlock, workspaceUnblock } from './workspace-block.js';
import { workspaceCreate } from './workspace-create.js';
import { workspaceFeatures } from './workspace-features.js';

/** Every operator command there is: the CLI and the private listener serve what stands here. */
export const operatorCommands: readonly OperatorCommand[] = [
  workspaceCreate,
  workspaceBlock,
  workspaceUnblock,
  workspaceFeatures,
  workspaceBilling,
  apiKeyIssue,
  apiKeyRevoke,
  creditsGrant,
  creditsWithdraw,
  creditsHold,
  creditsCapture,
  creditsRelease,
  creditsAdjust,
  pricesSet,
  partnerCreate,
  partnerRate,
  catalogueSync,
  catalogueStatus,
  personaArchive,
  listConvertSegment,
  listBindCrm,
  listCrmSync,
  topAccountAssign,
  topAccountRemove,
  topAccountCrmTier,
  detectionAdd,
  ledgerStatement,
  ledgerAsOf,
  ledgerVerify,
  ledgerCloseMonth,
  ledgerMovement,
  ledgerMovements,
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

export const streamCommands: readonly StreamCommand[] = [networkIngest];

export const exportCommands: readonly ExportCommand[] = [ledgerExport];
