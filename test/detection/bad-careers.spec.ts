import { newHireDetector } from '#signals/detection/new-hire.detector.js';
import { samplePersona, sampleRun } from '#signals/detection/testing/sample-run.js';
import { onNetwork } from './on-network.js';

const NOW = '2026-03-01T12:00:00.000Z';
const SALES = samplePersona();

const position = (company: string, startDate: string, endDate: string | null): object => ({
  title: 'VP Sales',
  company_ref: `c:${company}`,
  start_date: startDate,
  end_date: endDate,
});
const seen = (name: string, rev: number, observedAt: string, experiences: readonly object[]): object => ({
  kind: 'person',
  ref: `p:${name}`,
  handle: name,
  rev,
  geo: { country: 'France' },
  observed_at: observedAt,
  experiences,
});
const moved = (name: string): readonly object[] => [
  seen(name, 1, '2026-01-01T00:00:00Z', [position('globex', '2020', null)]),
  seen(name, 3, '2026-02-20T00:00:00Z', [
    position('globex', '2020', '2026-01'),
    position('acme', '2026-01', null),
  ]),
];

const hiresIn = (observations: readonly object[]) =>
  onNetwork(observations, async ({ source, directory }) => {
    const run = sampleRun({ now: new Date(NOW), persona: SALES, source, directory });
    return (await newHireDetector.find(run, null, 50)).matches;
  });

describe('invalid career observations', () => {
  it('D-25 D-27 change no answer except their own, and a profile of 500 positions is copied in part', async () => {
    const many = Array.from({ length: 500 }, (_, index) =>
      position(`old-${index}`, `${1500 + index}`, `${1501 + index}`),
    );
    const matches = await hiresIn([
      ...moved('ana'),
      // Too long, sent twice, late, under the same number with other content, without a date, and without positions.
      seen('long', 1, '2026-01-01T00:00:00Z', [...many, position('globex', '2020', null)]),
      seen('long', 2, '2026-02-20T00:00:00Z', [...many, position('acme', '2026-01', null)]),
      seen('long', 1, '2026-02-25T00:00:00Z', [position('initech', '2026-02', null)]),
      seen('long', 2, '2026-02-26T00:00:00Z', [position('initech', '2026-02', null)]),
      { ...seen('undated', 1, '2026-01-01T00:00:00Z', [position('globex', '2020', null)]) },
      { ...seen('undated', 2, '', [position('acme', '2026-01', null)]), observed_at: null },
      seen('empty', 1, '2026-01-01T00:00:00Z', []),
      seen('empty', 2, '2026-02-20T00:00:00Z', []),
      ...moved('bo'),
    ]);
    expect(matches.map(({ subject }) => subject)).toEqual(['move:p:ana:3', 'move:p:bo:3', 'move:p:long:2']);
    const [alone] = await hiresIn(moved('ana'));
    expect(matches[0]).toEqual(alone);
    expect(matches[2]?.lead?.facts.experiences).toHaveLength(30);
    expect(matches[2]?.data['current']).toMatchObject({ title: 'VP Sales', start_date: '2026-01' });
  });
});
