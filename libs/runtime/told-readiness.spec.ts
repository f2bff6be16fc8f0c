import type { ReadinessReport } from '#http/service-endpoints.js';
import { toldReadiness } from './told-readiness.js';

describe('readiness that is told', () => {
  it('is told once a change, whoever asks and however often', async () => {
    const told: ReadinessReport[] = [];
    let report: ReadinessReport = { ready: false, degraded: [], reasons: ['one'] };
    const readiness = toldReadiness({ report: async () => report }, (change) => told.push(change));
    const ask = async (next: ReadinessReport): Promise<void> => {
      report = next;
      expect(await readiness.report()).toBe(next);
      await readiness.report();
    };
    await ask(report);
    // other reasons are no change
    await ask({ ...report, reasons: ['two'] });
    await ask({ ready: true, degraded: [], reasons: [] });
    await ask({ ready: true, degraded: ['late'], reasons: [] });
    await ask({ ready: false, degraded: [], reasons: ['three'] });
    expect(told.map(({ ready, reasons }) => [ready, ...reasons])).toEqual([
      [false, 'one'],
      [true],
      [false, 'three'],
    ]);
  });
});
