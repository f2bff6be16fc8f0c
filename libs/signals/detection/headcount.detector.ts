import { fractionOf } from '#kernel/values/fraction.js';
import { OneOf, Type, type Static } from '#kernel/values/schema.js';
import { fold } from '#kernel/values/text-folding.js';
import { eachItem } from '#network/each-item.js';
import type { ObservedHeadcount } from '#network/network-source.port.js';
import { positionFrom } from '#network/position.js';
import { companyAudience } from './company-audience.js';
import { detector, type DetectorRun, type Findings } from './detector.js';
import type { FindingOf } from './finding.js';
import { bounded } from '#kernel/values/bounded-text.js';
import { DAY_MS } from '#kernel/values/durations.js';
import { isAtLeast, monthOf, monthsAround, monthsBefore, roundedChange } from './headcount-change.js';
import { windowOf } from './window.js';
import { companySubjects } from './company-subjects.js';
import { reportedRefsOf } from '#network/resolution.js';

/** The maximum distance of the earlier observation from the moment to compare with. */
const OFF_BY_MS = 20 * DAY_MS;

const Parameters = Type.Object({
  growth_percent: Type.Optional(Type.Number()),
  decline_percent: Type.Optional(Type.Number()),
  over_months: Type.Optional(Type.Integer()),
  scope: Type.Optional(OneOf('company', 'department')),
  department: Type.Optional(Type.String()),
});
type Parameters = Static<typeof Parameters>;
type Run = DetectorRun<Parameters>;

/**
 * The wanted change: this many percent more or fewer, over this many months, of a department or of the whole company.
 */
type Wanted = {
  readonly name: 'headcount_growth' | 'headcount_decline';
  readonly sign: 1 | -1;
  readonly percent: number;
  readonly months: number;
  /** As the setup spells it; null: the whole company. */
  readonly department: string | null;
};

/** Companies that grow or shrink (D-70, D-71), in order of their last observations. */
export const headcountDetector = detector({
  kind: 'headcount',
  signalTypes: ['deepSearch'],
  directions: ['single'],
  audiences: ['market', 'covered_accounts'],
  arrivals: ['headcount'],
  templates: [
    {
      kind: 'firmographic',
      signalTypes: ['deepSearch'],
      declares: ['growth_percent', 'decline_percent'],
    },
  ],
  parameters: Parameters,
  async search(run) {
    const wanted = wantedOf(run.parameters);
    if (wanted === null) return null;
    const { companyRefs, includes } = await companyAudience(run);
    const window = { ...windowOf(run), ...(companyRefs === null ? {} : { companyRefs }) };
    return {
      read: (resume, limit) => run.source.headcounts({ ...window, position: positionFrom(resume), limit }),
      async judge(items: readonly ObservedHeadcount[]): Promise<Findings> {
        const looked = items.filter(
          (item) => isOfDepartment(item, wanted) && item.company !== null && includes(item.company),
        );
        const series = await seriesOf(run, wanted, [...new Set(looked.map(({ companyRef }) => companyRef))]);
        const findings = await Promise.all(
          looked.map((item) => findingOf(run, wanted, item, series.get(item.companyRef) ?? [])),
        );
        const found = new Map(looked.map((item, index) => [item, findings[index] ?? null]));
        return items.map((item) => [found.get(item) ?? []].flat());
      },
    };
  },
});

function wantedOf({
  growth_percent,
  decline_percent,
  over_months,
  scope,
  department,
}: Parameters): Wanted | null {
  const months = over_months ?? 6;
  if (growth_percent !== undefined) {
    const part = scope === 'department' ? (department ?? null) : null;
    return { name: 'headcount_growth', sign: 1, percent: growth_percent, months, department: part };
  }
  if (decline_percent === undefined) return null;
  return { name: 'headcount_decline', sign: -1, percent: decline_percent, months, department: null };
}

function isOfDepartment(observed: ObservedHeadcount, { department }: Wanted): boolean {
  if (department === null || observed.department === null) return department === observed.department;
  return fold(observed.department) === fold(department);
}

/** The observations of these companies until now, as far back as a later one may be compared, oldest first. */
async function seriesOf(
  { source, now, lookbackDays }: Run,
  wanted: Wanted,
  companyRefs: readonly string[],
): Promise<ReadonlyMap<string, readonly ObservedHeadcount[]>> {
  const series = new Map<string, ObservedHeadcount[]>();
  if (companyRefs.length === 0) return series;
  const { after, until } = windowOf({ now, lookbackDays, liveAfter: null });
  const since = new Date(monthsBefore(after, wanted.months).getTime() - OFF_BY_MS - DAY_MS);
  const search = { after: since, until, companyRefs };
  for await (const observed of eachItem((paging) => source.headcounts({ ...search, ...paging }))) {
    if (!isOfDepartment(observed, wanted)) continue;
    const known = series.get(observed.companyRef);
    if (known === undefined) series.set(observed.companyRef, [observed]);
    else known.push(observed);
  }
  return series;
}

/** The finding for the last observation of a company; earlier observations in the window have none. */
async function findingOf(
  { known, templateKey }: Run,
  wanted: Wanted,
  later: ObservedHeadcount,
  series: readonly ObservedHeadcount[],
): Promise<FindingOf<'deepSearch'> | null> {
  if (series.at(-1)?.ref !== later.ref) return null;
  const earlier = comparedWith(later, series, wanted.months);
  if (earlier === null || earlier.employees <= 0) return null;
  const difference = (later.employees - earlier.employees) * wanted.sign;
  if (!isAtLeast(fractionOf(wanted.percent), difference, earlier.employees)) return null;
  const company = later.company ?? { ref: later.companyRef, domains: [] };
  const subjectIn =
    (month: string) =>
    (ref: string): string =>
      `${wanted.name}:${ref}:${wanted.department === null ? '*' : fold(wanted.department)}:${month}`;
  const month = monthOf(later.observedAt);
  // Continuing growth is reported again only after this many months. It may have been reported in a later month: the last
  // observation was corrected since, and has an earlier date now.
  const nearSubjects = monthsAround(month, wanted.months - 1).flatMap((near) =>
    reportedRefsOf(company).map(subjectIn(near)),
  );
  if ((await known(nearSubjects)).size > 0) return null;
  return {
    ...companySubjects(company, subjectIn(month)),
    signalType: 'deepSearch',
    signalDate: later.observedAt,
    company: later.company,
    lead: null,
    contents: [],
    readings: [later.reading, earlier.reading],
    data: { question: templateKey, ...changeOf(later, earlier, wanted), evidence: [] },
  };
}

/** The observation nearest to this many months before; of two equally near ones the older. */
function comparedWith(
  later: ObservedHeadcount,
  series: readonly ObservedHeadcount[],
  months: number,
): ObservedHeadcount | null {
  const moment = monthsBefore(new Date(later.observedAt), months).getTime();
  const offBy = ({ observedAt }: ObservedHeadcount): number => Math.abs(Date.parse(observedAt) - moment);
  let nearest: ObservedHeadcount | null = null;
  for (const observed of series) {
    if (offBy(observed) > OFF_BY_MS) continue;
    if (nearest === null || offBy(observed) < offBy(nearest)) nearest = observed;
  }
  return nearest;
}

function changeOf(later: ObservedHeadcount, earlier: ObservedHeadcount, wanted: Wanted) {
  const change = roundedChange(later.employees, earlier.employees);
  const { months, department } = wanted;
  const said =
    `${wanted.sign > 0 ? '+' : '-'}${Math.abs(change)}% in ${months} months (${earlier.employees} to ${later.employees})` +
    (department === null ? '' : `, ${department}`);
  const shown = ({ employees, observedAt }: ObservedHeadcount) => ({ employees, observed_at: observedAt });
  return {
    answer: said,
    facts: {
      department: bounded(department),
      over_months: months,
      change_percent: change,
      from: shown(earlier),
      to: shown(later),
    },
  };
}
