import { LedgerMoved } from '#ledger/domain/ledger-moved.js';

/** Decides with what is known first, and again with what `read` returns each time that the decision throws `LedgerMoved`. */
export async function decideOnceRead<Known, Result>(
  first: Known,
  decide: (known: Known) => Promise<Result>,
  read: () => Promise<Known>,
): Promise<Result> {
  for (let known = first; ; known = await read()) {
    try {
      return await decide(known);
    } catch (error) {
      if (!(error instanceof LedgerMoved)) throw error;
    }
  }
}
