import { hasCapScope } from '#signals/launching/cap-scope.js';
import { launchOfCharge } from '#signals/launching/charge-origin.js';
import type { ChargeOrigin } from '#ledger/answers/charge-origin.js';
import { wantedByOfCharge } from '#monitoring/charge-origin.js';

/** Facts of features other than the ledger about the origin of a charge. */
export const chargeOrigins: readonly ChargeOrigin[] = [launchOfCharge, wantedByOfCharge];

/** The dependencies of the ledger on other features. */
export const ledgerPorts = { chargeOrigins, hasCapScope };
