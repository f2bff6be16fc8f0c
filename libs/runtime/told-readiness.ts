import { everyBeat } from '#kernel/commands/beat.js';
import type { ReadinessReporter, ReadinessReport } from '#http/service-endpoints.js';

/** The same readiness, however many ask: it tells when the process becomes ready or ceases to be, once a change. */
export function toldReadiness(
  asked: ReadinessReporter,
  tell: (report: ReadinessReport) => void,
): ReadinessReporter {
  let known: boolean | null = null;
  return {
    async report() {
      const report = await asked.report();
      if (report.ready !== known) {
        known = report.ready;
        tell(report);
      }
      return report;
    },
  };
}

/** A service asks itself so often whether it is ready, in ms. */
const ASKS_EVERY_MS = 10_000;

/**
 * Asks a readiness at every beat, so that its changes are told where no probe asks: the loss of a store and its return
 * are a line each. One that takes long is not asked again meanwhile. What it gives ends it, and resolves when the last
 * answer is there.
 */
export function askingItself(asked: ReadinessReporter, everyMs: number = ASKS_EVERY_MS): () => Promise<void> {
  let asking: Promise<unknown> | null = null;
  const end = everyBeat(everyMs, () => {
    asking ??= asked
      .report()
      .catch(() => undefined)
      .finally(() => (asking = null));
  });
  return async () => {
    end();
    await asking;
  };
}
