import { recordExamples } from '#test/support/route-examples.js';

describe('npm run examples', () => {
  it('records the same bytes each time', async () => {
    const first = JSON.stringify(await recordExamples());
    expect(first.length).toBeGreaterThan(10_000);
    expect(JSON.stringify(await recordExamples())).toBe(first);
  });
});
