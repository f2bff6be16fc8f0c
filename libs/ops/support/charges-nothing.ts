import type { Credits } from '#kernel/values/credits.js';

/** Of a command of the ledger that reserves nothing: what it ends was charged when it was held. */
export const chargesNothing = (): Credits => 0n;
