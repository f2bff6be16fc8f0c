import { release } from '#ledger/domain/settle-credits.js';
import { endMovement } from './end-movement.js';

export const creditsRelease = endMovement(
  'credits.release',
  'Give a hold back, by its movement or its key',
  release,
);
