import { release } from '#ledger/domain/settle-credits.js';
import { endMovement } from './end-movement.js';

export const creditsRelease = endMovement(
  'credits.release',
  'Release a hold: its credits are available again; by movement id or key',
  release,
);
