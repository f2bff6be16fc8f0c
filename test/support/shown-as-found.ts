/**
 * Properties of stores show a counterexample as it was found: to make it smaller takes minutes on a server, and the time limit
 * of the file would end it before it is shown.
 */
export const SHOWN_AS_FOUND = { endOnFailure: true } as const;
