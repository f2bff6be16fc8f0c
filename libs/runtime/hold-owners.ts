import { contentRequestOwner } from '#accounts/content-requests/content-request.owner.js';
import type { HoldOwner } from '#ledger/charging/hold-owner.js';
import { operatorOwner } from '#ledger/charging/operator.owner.js';
import { signalRunOwner } from '#signals/runs/signal-run.owner.js';

/** Every kind of work that holds credits in this version. */
export const holdOwners: readonly HoldOwner[] = [
  signalRunOwner,
  contentRequestOwner('enrichment'),
  contentRequestOwner('profile'),
  contentRequestOwner('account'),
  operatorOwner,
];
