import { capture } from '#ledger/domain/settle-credits.js';
import { endMovement } from './end-movement.js';

export const creditsCapture = endMovement(
  'credits.capture',
  'Capture a hold: its credits are spent; by movement id or key',
  capture,
);
