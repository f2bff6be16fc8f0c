import { launchOfCharge } from '#signals/launching/charge-origin.js';
import type { ChargeOrigin } from '#ledger/answers/movement-trail.js';
import { wantedByOfCharge } from '#monitoring/charge-origin.js';

/** What features besides the ledger know of where a charge came from. */
export const chargeOrigins: readonly ChargeOrigin[] = [launchOfCharge, wantedByOfCharge];
