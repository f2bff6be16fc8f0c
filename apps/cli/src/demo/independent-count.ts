/**
 * Counts independently what the demo should find and cost: a plain loop over the sample with rules written again,
 * without sharing code with the product, so that equal numbers mean something.
 */
type SamplePost = {
  readonly ref: string;
  readonly author_ref?: string | null;
  readonly text?: string;
  readonly published_at?: string;
};

type SampleLine = { readonly kind: string; readonly ref: string; readonly [field: string]: unknown };
type SamplePerson = SampleLine & {
  readonly geo?: { readonly country?: string | null } | null;
  readonly experiences?: readonly {
    readonly title?: string;
    readonly company_ref?: string | null;
    readonly start_date?: string;
    readonly end_date?: string | null;
  }[];
};

export type ExpectedRun = {
  /** Posts that mention a keyword, oldest first; `top` says whether it is paid for. */
  readonly matches: readonly { readonly ref: string; readonly top: boolean }[];
};

const WORD = /[\p{L}\p{M}\p{N}_]/u;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u00AD\u200B-\u200D\u2060\uFEFF]/g, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ')
    .replace(/[’‘ʼ]/g, "'")
    .replace(/\p{Pd}/gu, '-')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Whether the keyword is a separate word: not adjacent to a word character, except in scripts without spaces. */
export function mentions(text: string, keyword: string): boolean {
  const [here, wanted] = [Array.from(plain(text)), Array.from(plain(keyword))];
  const joins = (inside: string | undefined, outside: string | undefined): boolean =>
    inside !== undefined &&
    outside !== undefined &&
    WORD.test(inside) &&
    WORD.test(outside) &&
    !UNSPACED.test(inside) &&
    !UNSPACED.test(outside);
  return here.some(
    (_, start) =>
      wanted.every((character, index) => here[start + index] === character) &&
      !joins(wanted[0], here[start - 1]) &&
      !joins(wanted.at(-1), here[start + wanted.length]),
  );
}

export type CountedSearch = {
  readonly keywords: readonly string[];
  readonly jobTitles: readonly string[];
  readonly countries: readonly string[];
  readonly now: Date;
  readonly lookbackDays: number;
};

/** The expected result of a run over these lines. */
export function countByHand(lines: readonly string[], asked: CountedSearch): ExpectedRun {
  const seen = lines.map((line): SampleLine => JSON.parse(line));
  const people = new Map(
    seen.filter(({ kind }) => kind === 'person').map((line) => [line.ref, line as SamplePerson]),
  );
  const from = asked.now.getTime() - asked.lookbackDays * 86_400_000;
  const matches = seen
    .filter(({ kind }) => kind === 'post')
    .map((line) => line as unknown as SamplePost)
    .filter(
      ({ published_at = '' }) =>
        Date.parse(published_at) > from && Date.parse(published_at) <= asked.now.getTime(),
    )
    .filter(({ text = '' }) => asked.keywords.some((keyword) => mentions(text, keyword)))
    .sort((left, right) => {
      const [a, b] = [left, right].map(({ published_at = '' }) => Date.parse(published_at));
      return (a ?? 0) - (b ?? 0) || (left.ref < right.ref ? -1 : 1);
    })
    .map(({ ref, author_ref }) => {
      const person = people.get(author_ref ?? '');
      return { ref, top: person === undefined || isTarget(person, asked) };
    });
  return { matches };
}

/** Handles of the employees of a company who match the persona, as last observed. */
export function employeesByHand(
  lines: readonly string[],
  companyRef: string,
  asked: Pick<CountedSearch, 'jobTitles' | 'countries'>,
): readonly string[] {
  const people = new Map<string, SamplePerson>();
  for (const line of lines) {
    const seen: SampleLine = JSON.parse(line);
    if (seen.kind === 'person') people.set(seen.ref, seen);
  }
  return [...people.values()]
    .filter((person) => currentOf(person)?.company_ref === companyRef && isTarget(person, asked))
    .map(({ handle }) => String(handle));
}

function currentOf({ experiences }: SamplePerson) {
  const open = (experiences ?? []).filter(({ end_date }) => end_date === null || end_date === undefined);
  return open.sort((left, right) => ((left.start_date ?? '') < (right.start_date ?? '') ? 1 : -1))[0];
}

/** A person's signal is paid for only if the person matches the persona. */
function isTarget(
  person: SamplePerson,
  { jobTitles, countries }: Pick<CountedSearch, 'jobTitles' | 'countries'>,
): boolean {
  const current = currentOf(person);
  const country = person.geo?.country;
  return (
    typeof current?.title === 'string' &&
    typeof country === 'string' &&
    jobTitles.some((title) => mentions(current.title ?? '', title)) &&
    countries.includes(country)
  );
}

/** When renewed months begin: on the same day at the same time, or on the last day of a shorter month. */
export function beginsByHand(first: string, count: number): readonly string[] {
  const [year = 0, month = 1, day = 1] = first.slice(0, 10).split('-').map(Number);
  return Array.from({ length: count }, (_, index) => {
    const ofYear = year + Math.floor((month - 1 + index) / 12);
    const ofMonth = ((month - 1 + index) % 12) + 1;
    const isLeap = (ofYear % 4 === 0 && ofYear % 100 !== 0) || ofYear % 400 === 0;
    const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][ofMonth - 1] ?? 31;
    const digits = [ofMonth, Math.min(day, days)].map((number) => String(number).padStart(2, '0'));
    return `${[ofYear, ...digits].join('-')}${first.slice(10)}`;
  });
}
