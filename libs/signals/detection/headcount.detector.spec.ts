import type { HeadcountSearch, ObservedHeadcount } from '#network/network-source.port.js';
import { positionOf } from '#network/position.js';
import type { UnreadRun } from './detector.js';
import { headcountDetector } from './headcount.detector.js';
import { sampleCompany, samplePersona, sampleRun } from './testing/sample-run.js';

const acme = sampleCompany({ ref: 'c:acme', domains: ['acme.example'] });
const persona = samplePersona({ jobTitles: [] });

type Headcount = {
  readonly at: string;
  readonly employees: number;
  readonly department?: string;
  readonly of?: string;
};

/** A run on these observations, of covered companies unless the spec says otherwise. */
function runOn(
  given: readonly Headcount[],
  parameters: UnreadRun['parameters'],
  run: Parameters<typeof sampleRun>[0] = {},
) {
  const observed = given.map(
    ({ at, employees, department = null, of = 'c:acme' }, index): ObservedHeadcount => ({
      position: positionOf({ at: Date.parse(at), ref: `h:${index}`, tie: '' }),
      reading: null,
      ref: `h:${index}`,
      rev: 1,
      companyRef: of,
      company: of === 'c:unknown' ? null : { ...acme, ref: of },
      department,
      employees,
      observedAt: new Date(at).toISOString(),
    }),
  );
  const headcounts = async ({ after, until, companyRefs }: HeadcountSearch) => ({
    items: observed
      .filter(
        ({ observedAt }) =>
          Date.parse(observedAt) > after.getTime() && Date.parse(observedAt) <= until.getTime(),
      )
      .filter(({ companyRef }) => companyRefs?.includes(companyRef) ?? true)
      .toSorted((left, right) => (left.observedAt < right.observedAt ? -1 : 1)),
    next: null,
  });
  return sampleRun({
    templateKey: 'headcount-growth',
    signalTypes: ['deepSearch'],
    persona,
    parameters,
    source: { headcounts },
    watched: { covered: async () => new Set(['c:acme', 'c:other']) },
    ...run,
  });
}

const subjectsOn = async (...run: Parameters<typeof runOn>): Promise<readonly string[]> => {
  const { matches } = await headcountDetector.find(runOn(...run), null, 50);
  return matches.map(({ subject }) => subject);
};

const GROWTH = { growth_percent: 25, over_months: 6 };
const before = { at: '2025-07-05', employees: 120 };
const after = { at: '2026-01-05', employees: 150 };

describe('the headcount detector', () => {
  it('reports growth with the compared observations, as of the later one', async () => {
    const { matches } = await headcountDetector.find(runOn([before, after], GROWTH), null, 50);
    expect(matches).toMatchObject([
      {
        subject: 'headcount_growth:c:acme:*:2026-01',
        signalType: 'deepSearch',
        signalDate: '2026-01-05T00:00:00.000Z',
        lead: null,
        author: null,
        priority: 1,
        priced: false,
      },
    ]);
    expect(matches[0]?.data).toEqual({
      question: 'headcount-growth',
      answer: '+25% in 6 months (120 to 150)',
      evidence: [],
      facts: {
        department: null,
        over_months: 6,
        change_percent: 25,
        from: { employees: 120, observed_at: '2025-07-05T00:00:00.000Z' },
        to: { employees: 150, observed_at: '2026-01-05T00:00:00.000Z' },
      },
    });
  });

  it('D-70 ignores growth below the percentage', async () => {
    expect(await subjectsOn([before, { ...after, employees: 149 }], GROWTH)).toEqual([]);
  });

  it('D-70 looks for decline over six months by default', async () => {
    const fewer = { ...after, employees: 105 };
    const { matches } = await headcountDetector.find(
      runOn([before, fewer], { decline_percent: 12.5 }),
      null,
      50,
    );
    expect(matches.map(({ subject, data }) => [subject, data['answer']])).toEqual([
      ['headcount_decline:c:acme:*:2026-01', '-12.5% in 6 months (120 to 105)'],
    ]);
    expect(await subjectsOn([before, fewer], { decline_percent: 12.6 })).toEqual([]);
    expect(await subjectsOn([before, fewer], { decline_percent: 12.5, over_months: 3 })).toEqual([]);
  });

  it('shows the sign of a decline that is rounded to nothing', async () => {
    const fewer = runOn(
      [
        { ...before, employees: 2_501 },
        { ...after, employees: 2_500 },
      ],
      {
        decline_percent: 0.01,
      },
    );
    const { matches } = await headcountDetector.find(fewer, null, 50);
    expect(matches.map(({ data }) => data['answer'])).toEqual(['-0% in 6 months (2501 to 2500)']);
  });

  it('D-70 compares the last observation of the window, whatever came before it', async () => {
    const dip = { at: '2026-01-05T01:00:00Z', employees: 121 };
    expect(await subjectsOn([before, after, dip], GROWTH)).toEqual([]);
  });

  it('D-70 the earlier observation is at most 20 days off; of two equally near ones the older counts', async () => {
    expect(await subjectsOn([{ ...before, at: '2025-07-25' }, after], GROWTH)).toHaveLength(1);
    expect(await subjectsOn([{ ...before, at: '2025-07-25T00:00:01Z' }, after], GROWTH)).toEqual([]);
    const older = { at: '2025-07-04', employees: 100 };
    const younger = { at: '2025-07-06', employees: 150 };
    expect(await subjectsOn([older, younger, after], GROWTH)).toHaveLength(1);
    expect(
      await subjectsOn([{ ...older, employees: 150 }, { ...younger, employees: 100 }, after], GROWTH),
    ).toEqual([]);
  });

  it('D-70 finds no growth without an earlier observation, or from zero employees', async () => {
    expect(await subjectsOn([after], GROWTH)).toEqual([]);
    expect(await subjectsOn([{ ...before, employees: 0 }, after], GROWTH)).toEqual([]);
  });

  it('D-70 compares a department, in any spelling, only with itself, and the company with no department', async () => {
    const sales = [
      { ...before, department: 'SALES', employees: 10 },
      { ...after, department: 'sales', employees: 20 },
    ];
    const ofSales = { ...GROWTH, scope: 'department', department: 'Sales' };
    const { matches } = await headcountDetector.find(runOn([...sales, before, after], ofSales), null, 50);
    expect(matches.map(({ subject, data }) => [subject, data['answer']])).toEqual([
      ['headcount_growth:c:acme:sales:2026-01', '+100% in 6 months (10 to 20), Sales'],
    ]);
    expect(matches[0]?.data).toMatchObject({ facts: { department: 'Sales' } });
    expect(await subjectsOn(sales, GROWTH)).toEqual([]);
    expect(await subjectsOn([before, after], ofSales)).toEqual([]);
  });

  it('D-71 does not report growth again that was reported in one of the five months before', async () => {
    const knownSubject = (subject: string) => ({
      known: async (asked: readonly string[]) => new Set(asked.filter((one) => one === subject)),
    });
    const run = (month: string) =>
      subjectsOn([before, after], GROWTH, knownSubject(`headcount_growth:c:acme:*:${month}`));
    expect(await run('2025-08')).toEqual([]);
    expect(await run('2025-12')).toEqual([]);
    expect(await run('2025-07')).toHaveLength(1);
  });

  it('D-71 does not report growth again after the last observation was corrected to an earlier month', async () => {
    const knownSubject = (subject: string) => ({
      known: async (asked: readonly string[]) => new Set(asked.filter((one) => one === subject)),
    });
    const run = (month: string) =>
      subjectsOn([before, after], GROWTH, knownSubject(`headcount_growth:c:acme:*:${month}`));
    expect(await run('2026-02')).toEqual([]);
    expect(await run('2026-06')).toEqual([]);
    expect(await run('2026-07')).toHaveLength(1);
  });

  it('D-71 SRC-04 does not report growth again that was reported of the company while a source had made it', async () => {
    const run = (month: string) =>
      subjectsOn([before, after], GROWTH, {
        known: async (asked: readonly string[]) =>
          new Set(asked.filter((one) => one === `headcount_growth:domain:acme.example:*:${month}`)),
      });
    for (const month of ['2025-08', '2026-01', '2026-06'])
      expect([month, await run(month)]).toEqual([month, []]);
    expect(await run('2025-07')).toHaveLength(1);
  });

  it('D-19 finds companies of the market and covered ones, each by its own last observation', async () => {
    const other = (one: Headcount): Headcount => ({ ...one, of: 'c:other' });
    const stranger = (one: Headcount): Headcount => ({ ...one, of: 'c:stranger' });
    const all = [before, after, other(before), other(after), stranger(before), stranger(after)];
    expect(await subjectsOn(all, GROWTH)).toEqual([
      'headcount_growth:c:acme:*:2026-01',
      'headcount_growth:c:other:*:2026-01',
    ]);
    const none = { watched: { covered: async () => new Set<string>() } };
    expect(await subjectsOn(all, GROWTH, none)).toEqual([]);
  });

  it('D-30 a pass asks only for covered accounts', async () => {
    const other = (one: Headcount): Headcount => ({ ...one, of: 'c:other' });
    const watched = { accounts: async () => ['c:other'] };
    expect(await subjectsOn([before, after, other(before), other(after)], GROWTH, { watched })).toEqual([
      'headcount_growth:c:other:*:2026-01',
    ]);
  });

  it('D-11 skips an unknown company', async () => {
    const unknown = (one: Headcount): Headcount => ({ ...one, of: 'c:unknown' });
    const watched = { covered: async () => new Set(['c:unknown']) };
    expect(await subjectsOn([unknown(before), unknown(after)], GROWTH, { watched })).toEqual([]);
  });
});
