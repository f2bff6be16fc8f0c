import {
  blockWorkspace,
  issueKey,
  makeLink,
  revokeKey,
  unblockWorkspace,
  withdrawLink,
} from './access.actions.js';
import type { Action } from './action.js';
import { removeCap, setCap } from './caps.actions.js';
import { adjustCredits, closeMonth, grantCredits, releaseHold, withdrawCredits } from './credits.actions.js';
import { pauseEndpoint, replayDeliveries, resumeEndpoint } from './endpoints.actions.js';
import { addOperator, revokeOperator, rotateOperator } from './operators.actions.js';
import {
  cancelReadModel,
  rebuildReadModel,
  retryReadModel,
  rollBackReadModel,
  verifyReadModel,
} from './read-models.actions.js';
import { addRecurring, stopRecurring } from './recurring.actions.js';
import { pauseSource, resumeSource } from './sources.actions.js';

/** All actions of the console: each is an operator command, sent from `/console/actions/<command>`. */
export const actions: readonly Action[] = [
  grantCredits,
  withdrawCredits,
  adjustCredits,
  releaseHold,
  closeMonth,
  addRecurring,
  stopRecurring,
  setCap,
  removeCap,
  issueKey,
  revokeKey,
  makeLink,
  withdrawLink,
  addOperator,
  rotateOperator,
  revokeOperator,
  blockWorkspace,
  unblockWorkspace,
  pauseSource,
  resumeSource,
  pauseEndpoint,
  resumeEndpoint,
  replayDeliveries,
  verifyReadModel,
  rebuildReadModel,
  rollBackReadModel,
  cancelReadModel,
  retryReadModel,
];
