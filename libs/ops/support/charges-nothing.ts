import type { Credits } from '#kernel/values/credits.js';

/** For a command of the ledger that reserves nothing: the credits were charged with the hold. */
export const chargesNothing = (): Credits => 0n;
