/** A decision needs entries that were not read, or not up to the end: the ledger has to be read, and the decision made again. */
export class LedgerMoved extends Error {
  constructor() {
    super('the ledger moved while it was read');
    this.name = 'LedgerMoved';
  }
}
