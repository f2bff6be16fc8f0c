import { foldAll } from '#kernel/testing/project.js';
import { sampleDetection } from '#projections/testing/sample-events.js';
import { reachedCompanies } from './reached-companies.projection.js';

const detected = (recordedAt: string, detection: Parameters<typeof sampleDetection>[0]) => ({
  type: 'SignalDetected',
  data: sampleDetection({ setupId: 31, ...detection }),
  metadata: { workspaceId: '1', recordedAt },
});

describe('the companies that a setup reached', () => {
  it('STAT-09 have one document each, with the newest top-priority detection', () => {
    const found = foldAll(reachedCompanies, [
      detected('2026-01-05T10:00:00.000Z', { companyId: 9 }),
      detected('2026-01-07T10:00:00.000Z', { companyId: 9 }),
      detected('2026-01-06T10:00:00.000Z', { companyId: 9 }),
      detected('2026-01-08T10:00:00.000Z', { companyId: 9, priority: 2 }),
      detected('2026-01-05T10:00:00.000Z', { companyId: 10 }),
      detected('2026-01-05T10:00:00.000Z', { companyId: null }),
    ]);
    expect([...found.values()]).toEqual([
      { workspaceId: 1, setupId: 31, companyId: 9, lastDetectedAt: '2026-01-07T10:00:00.000Z' },
      { workspaceId: 1, setupId: 31, companyId: 10, lastDetectedAt: '2026-01-05T10:00:00.000Z' },
    ]);
  });
});
