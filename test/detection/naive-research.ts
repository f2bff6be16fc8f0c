import { createHash } from 'node:crypto';

/**
 * The findings of custom research, written from its rules alone (D-19, D-80 to D-84), without regard to speed: over
 * observations as they are ingested, for scripts that separate words by spaces.
 */

// Observations are parsed JSON.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Observed = any;

export type NaiveQuestion = {
  readonly question: string;
  readonly answer_type?: 'yes_no' | 'choice';
  readonly choices?: readonly string[];
};
export type NaiveMarket = {
  readonly locations: readonly string[];
  readonly headcounts: readonly string[];
  readonly industries: readonly string[];
};
export type NaiveRun = {
  readonly now: string;
  readonly lookbackDays: number;
  readonly market: NaiveMarket;
  readonly covered: readonly string[];
  readonly question: NaiveQuestion;
};
export type NaiveAnswer = {
  readonly subject: string;
  readonly priced: boolean;
  readonly signalDate: string | null;
  readonly sourceUrl: string | null;
  readonly answer: string;
  readonly evidence: readonly { readonly url: string | null; readonly extract: string }[];
};

const STOP =
  'a about already an and any are as at be been being by can could currently did do does doing for from had has have having how if in into is it its looking may might not of on or our plan planning plans run running runs should such than that the their them there these they this those to use used uses using was we were what when where which who whom whose why will with would you your company companies';

const folded = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replace(/[’‘]/g, "'").replace(/\s+/g, ' ').trim();
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const contains = (text: string, wanted: string): boolean => {
  const keyword = folded(wanted);
  if (keyword === '') return false;
  const before = /^\w/.test(keyword) ? '(?<!\\w)' : '';
  const after = /\w$/.test(keyword) ? '(?!\\w)' : '';
  return new RegExp(before + escaped(keyword) + after).test(folded(text));
};
const words = (text: string): readonly string[] => [
  ...new Set(
    (folded(text).match(/\w+/g) ?? []).filter((word) => word.length > 1 && !STOP.split(' ').includes(word)),
  ),
];

/** The newest revision of each thing. */
function newestRevisions(observations: readonly Observed[]): readonly Observed[] {
  const newest = new Map<string, Observed>();
  for (const observed of observations) {
    const key = `${observed.kind} ${observed.ref}`;
    if ((newest.get(key)?.rev ?? 0) < observed.rev) newest.set(key, observed);
  }
  return [...newest.values()];
}

/** Names of the country codes in the networks of the test. */
const ENGLISH_NAMES: { readonly [code: string]: string } = { FR: 'France' };

function isInMarket(company: Observed, { locations, headcounts, industries }: NaiveMarket): boolean {
  const isThere = (company.locations ?? []).some((place: Observed) =>
    locations.some((location) =>
      location
        .split(',')
        .map(folded)
        .every((part) =>
          [place.city, place.region, place.country, place.country_code, ENGLISH_NAMES[place.country_code]]
            .filter((name) => typeof name === 'string')
            .some((name) => folded(name) === part),
        ),
    ),
  );
  const isAsLarge =
    headcounts.length === 0 ||
    headcounts.some((headcount) => {
      const range = headcount.replaceAll(',', '');
      if (company.employees === undefined)
        return (company.employee_range ?? '').replace(/[ ,]/g, '') === range;
      const [least, most = '999999999'] = range.replace('+', '').split('-');
      return company.employees >= Number(least) && company.employees <= Number(most);
    });
  const isOfIndustry =
    industries.length === 0 || industries.some((industry) => contains(company.industry ?? '', industry));
  return isThere && isAsLarge && isOfIndustry;
}

type Said = {
  readonly at: number | null;
  readonly date: string | null;
  readonly ref: string;
  readonly url: string | null;
  readonly title: string | null;
  readonly text: string;
};

function saidAbout(
  company: Observed,
  all: readonly Observed[],
  { now, lookbackDays }: NaiveRun,
): readonly Said[] {
  const until = Date.parse(now);
  const after = until - lookbackDays * 24 * 60 * 60 * 1000;
  const employer = (person: Observed): unknown =>
    (person.experiences ?? [])
      .filter((experience: Observed) => experience.end_date === null)
      .sort((left: Observed, right: Observed) => (left.start_date < right.start_date ? 1 : -1))[0]
      ?.company_ref;
  const people = all
    .filter(({ kind }) => kind === 'person')
    .filter((person) => employer(person) === company.ref);
  const authors = [company.ref, ...people.map(({ ref }) => ref)];
  const dated: Said[] = [];
  for (const seen of all) {
    const say = (date: string | undefined, title: string | null, text: string, url: unknown): void => {
      if (date === undefined) return;
      const at = Date.parse(date);
      if (at <= after || at > until) return;
      const iso = new Date(at).toISOString();
      dated.push({ at, date: iso, ref: seen.ref, url: typeof url === 'string' ? url : null, title, text });
    };
    if (seen.kind === 'post' && authors.includes(seen.author_ref))
      say(seen.published_at, null, seen.text, seen.url);
    if (seen.kind === 'job_posting' && seen.company_ref === company.ref)
      say(seen.posted_at, seen.title ?? null, seen.description ?? '', seen.url);
    if (seen.kind === 'company_event' && seen.company_ref === company.ref && seen.event !== 'renewal_due')
      if (typeof seen.fields.extract === 'string')
        say(seen.occurred_at, null, seen.fields.extract, seen.fields.url);
  }
  dated.sort((left, right) => (right.at ?? 0) - (left.at ?? 0) || (left.ref < right.ref ? -1 : 1));
  const undated = [company.tagline, company.activity_summary]
    .filter((text) => typeof text === 'string')
    .map((text) => ({ at: null, date: null, ref: company.ref, url: null, title: null, text }));
  return [...dated, ...undated].slice(0, 500);
}

const wholeOf = ({ title, text }: Said): string => `${title ?? ''}\n${text}`;
const sentences = ({ title, text }: Said): readonly string[] =>
  [
    ...(title === null ? [] : [title]),
    ...text.split('\n').flatMap((line) => line.split(/(?<=[.!?])\s+/)),
  ].map((sentence) => sentence.trim());
const negations = (text: string): readonly string[] => [
  ...['not', 'no', 'never', 'without'].filter((word) => contains(text, word)),
  ...(/n't(?!\w)/.test(folded(text)) ? ["n't"] : []),
];

/** The answers of a run, by the refs of their companies. */
export function naiveResearch(observations: readonly Observed[], run: NaiveRun): readonly NaiveAnswer[] {
  const { question, answer_type = 'yes_no', choices = [] } = run.question;
  const all = newestRevisions(observations);
  const asked = words(question);
  if (asked.length === 0) return [];
  const answers: NaiveAnswer[] = [];
  const companies = all
    .filter(({ kind }) => kind === 'company')
    .sort((left, right) => (left.ref < right.ref ? -1 : 1));
  for (const company of companies) {
    const isCovered = run.covered.includes(company.ref);
    if (!isCovered && !isInMarket(company, run.market)) continue;
    const passages = saidAbout(company, all, run);
    const mentions = passages.some((said) =>
      [...asked, ...choices].some((word) => contains(wholeOf(said), word)),
    );
    if (!mentions) continue;
    const scored = (answer_type === 'choice' ? choices : ['yes']).map((answer, index) => {
      const evidence = passages.flatMap((said) => {
        const [extract] = sentences(said).filter(
          (sentence) =>
            asked.every((word) => contains(sentence, word)) &&
            (answer_type === 'yes_no' || contains(sentence, answer)) &&
            negations(sentence).every((negation) => negations(question).includes(negation)),
        );
        return extract === undefined ? [] : [{ ...said, extract }];
      });
      return { answer, index, evidence };
    });
    const newest = (evidence: readonly Said[]): number => Math.max(...evidence.map(({ at }) => at ?? -1));
    const [best] = scored
      .filter(({ evidence }) => evidence.length > 0)
      .sort(
        (left, right) =>
          right.evidence.length - left.evidence.length ||
          newest(right.evidence) - newest(left.evidence) ||
          left.index - right.index,
      );
    if (best === undefined) continue;
    const shown = best.evidence.slice(0, 5);
    const hashed = JSON.stringify([folded(question), answer_type, choices.map(folded)]);
    const hash = createHash('sha256').update(hashed).digest('hex').slice(0, 16);
    answers.push({
      subject: `research:${company.ref}:${hash}:${folded(best.answer)}`,
      priced: !isCovered,
      signalDate: shown.find(({ date }) => date !== null)?.date ?? null,
      sourceUrl: shown.find(({ url }) => url !== null)?.url ?? null,
      answer: best.answer,
      evidence: shown.map(({ url, extract }) => ({ url, extract: extract.slice(0, 280) })),
    });
  }
  return answers;
}
