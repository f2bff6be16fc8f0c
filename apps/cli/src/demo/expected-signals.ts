import { mentions, type CountedSearch } from './independent-count.js';

/**
 * Counts independently what setups of other templates should find in the sample: their rules are written again for
 * the parameters of the demo, without sharing code with the product.
 */
export type Expected = { readonly subjects: readonly string[]; readonly paid: number };

// Lines of the sample are parsed JSON.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Line = any;

const DAY_MS = 86_400_000;

export type Sample = {
  readonly all: (kind: string) => readonly Line[];
  readonly within: (kind: string, field: string) => readonly Line[];
  readonly asked: CountedSearch;
};

export function sampleOf(lines: readonly string[], asked: CountedSearch): Sample {
  const newest = new Map<string, Line>();
  for (const line of lines.map((text): Line => JSON.parse(text))) {
    const key = `${line.kind} ${line.ref}`;
    if ((newest.get(key)?.rev ?? 0) < (line.rev ?? 1)) newest.set(key, { ...line, before: newest.get(key) });
  }
  const all = (kind: string): readonly Line[] => [...newest.values()].filter((line) => line.kind === kind);
  const until = asked.now.getTime();
  return {
    all,
    within: (kind, field) =>
      all(kind).filter((line) => {
        const at = Date.parse(line[field] ?? '');
        return at > until - asked.lookbackDays * DAY_MS && at <= until;
      }),
    asked,
  };
}

const known = ({ all }: Sample, kind: string, ref: unknown): Line | undefined =>
  all(kind).find((line) => line.ref === ref);

/** All of them are paid for. */
const allPaid = (subjects: readonly string[]): Expected => ({ subjects, paid: subjects.length });

const titled = (sample: Sample, titles: readonly string[]): readonly Line[] =>
  sample
    .within('job_posting', 'posted_at')
    .filter(({ title = '' }) => titles.some((wanted) => mentions(title, wanted)));

export const postings = (sample: Sample, titles: readonly string[]): Expected =>
  allPaid(titled(sample, titles).map(({ ref }) => ref));

export const managedPostings = (sample: Sample, titles: readonly string[]): Expected =>
  allPaid(
    titled(sample, titles)
      .filter(({ hiring_manager_ref: ref }) => known(sample, 'person', ref) !== undefined)
      .map(({ ref }) => ref),
  );

export const mentioningPostings = (sample: Sample, keywords: readonly string[]): Expected =>
  allPaid(
    sample
      .within('job_posting', 'posted_at')
      .filter(({ title = '', description = '' }) =>
        keywords.some((keyword) => mentions(title, keyword) || mentions(description, keyword)),
      )
      .map(({ ref }) => ref),
  );

/** Companies with at least this many postings that contain all of these words. */
export function hiringWaves(sample: Sample, words: readonly string[], least: number): Expected {
  const counts = new Map<string, number>();
  for (const { title = '', description = '', company_ref: ref } of sample.within('job_posting', 'posted_at'))
    if (words.every((word) => mentions(`${title}\n${description}`, word)))
      counts.set(ref, (counts.get(ref) ?? 0) + 1);
  return allPaid([...counts].filter(([, count]) => count >= least).map(([ref]) => ref));
}

/** Whether an office of a company is in one of the persona's countries. */
const isInMarket = (sample: Sample, ref: unknown): boolean =>
  (known(sample, 'company', ref)?.locations ?? []).some(({ country }: Line) =>
    sample.asked.countries.includes(country),
  );

/** Companies that are this many percent larger than six months before, within 20 days of that time. */
export function growing(sample: Sample, percent: number): Expected {
  const found = sample.all('company').filter((company) => {
    const isOwn = ({ company_ref: ref, department = null }: Line): boolean =>
      ref === company.ref && department === null;
    const byDate = (left: Line, right: Line): number => (left.observed_at < right.observed_at ? -1 : 1);
    const later = sample.within('headcount', 'observed_at').filter(isOwn).sort(byDate).at(-1);
    if (later === undefined || !isInMarket(sample, company.ref)) return false;
    const then = new Date(later.observed_at);
    const day = then.getUTCDate();
    then.setUTCDate(1);
    then.setUTCMonth(then.getUTCMonth() - 6);
    const last = new Date(Date.UTC(then.getUTCFullYear(), then.getUTCMonth() + 1, 0)).getUTCDate();
    then.setUTCDate(Math.min(day, last));
    const off = ({ observed_at: at }: Line): number => Math.abs(Date.parse(at) - then.getTime());
    const [earlier] = sample
      .all('headcount')
      .filter((line) => isOwn(line) && off(line) <= 20 * DAY_MS)
      .sort((left, right) => off(left) - off(right) || byDate(left, right));
    return (
      earlier !== undefined && (later.employees - earlier.employees) * 100 >= percent * earlier.employees
    );
  });
  return allPaid(found.map(({ ref }) => ref));
}

const eventsOf = (sample: Sample, event: string): readonly Line[] =>
  sample
    .within('company_event', 'occurred_at')
    .filter((line) => line.event === event && isInMarket(sample, line.company_ref));

export const fundings = (sample: Sample): Expected =>
  allPaid(eventsOf(sample, 'funding').map(({ ref }) => ref));

export const offices = (sample: Sample, countries: readonly string[]): Expected =>
  allPaid(
    eventsOf(sample, 'location_opened')
      .filter(({ fields }) => countries.includes(fields.country))
      .map(({ ref }) => ref),
  );

const open = ({ experiences = [] }: Line): Line | undefined =>
  (experiences ?? [])
    .filter(({ end_date: end }: Line) => end === null)
    .sort((left: Line, right: Line) => (left.start_date < right.start_date ? 1 : -1))[0];

/** People of the persona whose newest revision shows a move to another company or title. */
export function moved(sample: Sample, change: 'new_company' | 'promotion'): Expected {
  const { jobTitles, countries } = sample.asked;
  const found = sample.within('person', 'observed_at').filter((person) => {
    if (person.before === undefined) return false;
    const [from, to] = [open(person.before), open(person)];
    if (to === undefined) return false;
    const isSame = from?.company_ref === to.company_ref;
    if (change === 'new_company' ? isSame : !isSame || from.title === to.title) return false;
    return jobTitles.some((title) => mentions(to.title, title)) && countries.includes(person.geo?.country);
  });
  return allPaid(found.map(({ ref }) => ref));
}

/**
 * Comments and reactions of other people on posts of these companies' people and pages; paid for if the actor matches
 * the persona.
 */
export function engagement(sample: Sample, handles: readonly string[]): Expected {
  const listed = handles.map((handle) => `c:${handle}`);
  const employer = (ref: string): unknown => open(known(sample, 'person', ref) ?? {})?.company_ref;
  const threads = new Map(sample.all('comment').map(({ ref, post_ref: on }) => [ref, on]));
  const postOf = (ref: string): Line | undefined => {
    let at = ref;
    for (let steps = 0; threads.has(at) && steps < threads.size; steps += 1) at = threads.get(at);
    return known(sample, 'post', at);
  };
  const acts = [...sample.within('comment', 'published_at'), ...sample.within('reaction', 'reacted_at')];
  const found = acts.filter(({ post_ref: on, author_ref: actor }) => {
    const author = postOf(on)?.author_ref;
    const isTracked = listed.includes(author) || listed.includes(String(employer(author)));
    const isKnown = known(sample, 'person', actor) !== undefined;
    return isTracked && isKnown && actor !== author && !listed.includes(String(employer(actor)));
  });
  const isOfPersona = ({ author_ref: ref }: Line): boolean => {
    const person = known(sample, 'person', ref);
    const { jobTitles, countries } = sample.asked;
    const title = open(person)?.title ?? '';
    return jobTitles.some((wanted) => mentions(title, wanted)) && countries.includes(person.geo?.country);
  };
  return { subjects: found.map(({ ref }) => ref), paid: found.filter(isOfPersona).length };
}
