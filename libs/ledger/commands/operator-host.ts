import type { ChargeOrigin } from '../answers/charge-origin.js';
import type { HasCapScope } from '../charging/cap-scopes.port.js';
import type { LedgerReader } from '../history/ledger-reader.js';

declare module '#ops/support/operator-command.js' {
  interface OperatorHost {
    readonly ledgers: LedgerReader;
    readonly chargeOrigins: readonly ChargeOrigin[];
    readonly hasCapScope: HasCapScope;
  }
}
