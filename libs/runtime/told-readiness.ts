import type { Readiness, ReadinessReport } from '#http/service-endpoints.js';

/** The same readiness, however many ask: it tells when the process becomes ready or ceases to be, once a change. */
export function toldReadiness(asked: Readiness, tell: (report: ReadinessReport) => void): Readiness {
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
