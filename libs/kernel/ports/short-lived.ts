/** How long events of short-lived streams are there at least: twice as long as anybody asks for them. */
export const SHORT_LIVED_MS = 48 * 3_600_000;

/**
 * Whether a stream leaves its store by itself: what callers asked for once with a key of their own, and the candidates of
 * a run's batch, which are recorded or dropped within hours. Nothing is derived from it, so no checkpoint stands on its
 * events, and no proof of a log counts them. What operators asked for once stays: it has no workspace.
 */
export function isShortLived(stream: string): boolean {
  return SHORT_LIVED.test(stream);
}

/** Every short-lived stream begins with one of these, and so may others. */
export const SHORT_LIVED_BEGINNINGS = ['request-', 'batch-'] as const;

const SHORT_LIVED = /^(?:request|batch)-\d+_/;
