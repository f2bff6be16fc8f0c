import type { LiveKeys } from '#keyed-requests/live-keys.js';

/** Without a limit on the number of keys. */
export const uncountedKeys: LiveKeys = { fullFor: async () => null, claimed: () => undefined };
