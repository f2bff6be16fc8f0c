import { capture } from '#ledger/domain/settle-credits.js';
import { endMovement } from './end-movement.js';

export const creditsCapture = endMovement(
  'credits.capture',
  'Turn a hold into spending, by its movement or its key',
  capture,
);
