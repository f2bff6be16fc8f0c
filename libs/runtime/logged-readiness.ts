import { everyBeat } from '#kernel/commands/beat.js';
import type { ReadinessReporter, ReadinessReport } from '#http/service-endpoints.js';

/** The same readiness, with one log line for each change between ready and not ready. */
export function loggedReadiness(
  readiness: ReadinessReporter,
  log: (report: ReadinessReport) => void,
): ReadinessReporter {
  let known: boolean | null = null;
  return {
    async report() {
      const report = await readiness.report();
      if (report.ready !== known) {
        known = report.ready;
        log(report);
      }
      return report;
    },
  };
}

/** How often a service checks its own readiness, in ms. */
const CHECKS_EVERY_MS = 10_000;

/**
 * Checks the readiness at every beat, so that changes are logged even without a probe: the loss of a store and its
 * return are a line each. A slow check is not started again meanwhile. The returned function ends the checks and
 * resolves after the last one.
 */
export function readinessChecks(
  readiness: ReadinessReporter,
  everyMs: number = CHECKS_EVERY_MS,
): () => Promise<void> {
  let checking: Promise<unknown> | null = null;
  const end = everyBeat(everyMs, () => {
    checking ??= readiness
      .report()
      .catch(() => undefined)
      .finally(() => (checking = null));
  });
  return async () => {
    end();
    await checking;
  };
}
