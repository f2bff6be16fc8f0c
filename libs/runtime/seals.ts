import type { Seals } from '#event-store/copy/log-proof.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { sealEntry } from '#ledger/domain/seal.js';

/** The hash chains that a log holds, by the category of the streams that carry them. */
export const seals: Seals = { [creditAccount.category]: sealEntry };
