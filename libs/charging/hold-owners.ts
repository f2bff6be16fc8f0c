import { contentRequestOwner } from './owners/content-request.owner.js';
import type { HoldOwner } from './hold-owner.js';
import { operatorOwner } from './owners/operator.owner.js';
import { signalRunOwner } from './owners/signal-run.owner.js';

/** Every kind of work that holds credits in this version. */
export const holdOwners: readonly HoldOwner[] = [
  signalRunOwner,
  contentRequestOwner('enrichment'),
  contentRequestOwner('profile'),
  contentRequestOwner('account'),
  operatorOwner,
];
