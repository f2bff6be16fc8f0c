import type { Seals } from '#event-store/copy/log-proof.js';
import { creditAccount } from '#domain/credits/credit-account.js';
import { sealEntry } from '#domain/credits/seal.js';

/** The hash chains that a log holds, by the category of the streams that carry them. */
export const seals: Seals = { [creditAccount.category]: sealEntry };
