import { hasCapScope } from '#signals/launching/cap-scope.js';
import { launchOfCharge } from '#signals/launching/charge-origin.js';
import type { ChargeOrigin } from '#ledger/answers/charge-origin.js';
import { wantedByOfCharge } from '#monitoring/charge-origin.js';

/** What features other than the ledger know about the origin of a charge. */
export const chargeOrigins: readonly ChargeOrigin[] = [launchOfCharge, wantedByOfCharge];

/** What other features give the ledger. */
export const ledgerPorts = { chargeOrigins, hasCapScope };
