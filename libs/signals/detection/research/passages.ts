import { eachItem } from '#network/each-item.js';
import { compareCodePoints } from '#network/position.js';
import type { CompanyFacts } from '#network/network-directory.port.js';
import type {
  CompanyEventSearch,
  NetworkSource,
  ObservedCompanyEvent,
  Page,
  Paging,
  ReadPosition,
} from '#network/network-source.port.js';
import type { RunWindow } from '#signals/detection/window.js';
import type { Passage } from './passage.js';
import type { Statements } from './statements.js';

const MOST_PASSAGES = 500;

/** The passages about a company in the window, newest first, then those without a date (D-81). */
export async function passagesAbout(
  source: NetworkSource,
  { ref, tagline, activitySummary }: CompanyFacts,
  window: RunWindow,
): Promise<readonly Passage[]> {
  const companyRefs = [ref];
  const posts = { ...window, whose: { companyRefs, personRefs: [] } };
  const postings = { ...window, companyRefs };
  const dated = [
    ...(await newest(
      (count) => source.beforeNewestPosts(posts, count),
      (paging) => source.posts({ ...posts, ...paging }),
      ({ ref: postRef, publishedAt, url, text, reading }) => [
        { ref: postRef, date: publishedAt, url, title: null, text, reading },
      ],
    )),
    ...(await newest(
      (count) => source.beforeNewestJobPostings(postings, count),
      (paging) => source.jobPostings({ ...postings, ...paging }),
      (posting) =>
        posting.title === null && posting.description === null
          ? []
          : [
              {
                ref: posting.ref,
                date: posting.postedAt,
                url: posting.url,
                title: posting.title,
                text: posting.description,
                reading: posting.reading,
              },
            ],
    )),
    ...(await passagesOfEvents(source, { ...window, companyRefs })),
  ].sort(newestFirst);
  const undated = [tagline, activitySummary].flatMap((text): Passage[] =>
    text === null ? [] : [{ ref, date: null, url: null, title: null, text, reading: null }],
  );
  return [...dated, ...undated].slice(0, MOST_PASSAGES);
}

/** The newest passages of one kind. Empty ones do not count, so that more may have to be read. */
async function newest<Item>(
  before: (count: number) => Promise<ReadPosition | null>,
  read: (paging: Paging) => Promise<Page<Item>>,
  passageOf: (item: Item) => readonly Passage[],
): Promise<readonly Passage[]> {
  for (let count = MOST_PASSAGES; ; count *= 2) {
    const start = await before(count);
    const passages: Passage[] = [];
    for await (const item of eachItem(read, { start })) passages.push(...passageOf(item));
    if (start === null || passages.length >= MOST_PASSAGES) return passages.slice(-MOST_PASSAGES);
  }
}

/** Renewals belong to one workspace and are not public. */
const PUBLIC_EVENTS = ['funding', 'location_opened'] as const;

async function passagesOfEvents(
  source: NetworkSource,
  window: Omit<CompanyEventSearch, 'events' | 'position' | 'limit'>,
): Promise<readonly Passage[]> {
  const passages: Passage[] = [];
  const search = { ...window, events: PUBLIC_EVENTS };
  for await (const event of eachItem((paging) => source.companyEvents({ ...search, ...paging })))
    passages.push(...passageOfEvent(event));
  return passages;
}

function passageOfEvent({ ref, fields, occurredAt, reading }: ObservedCompanyEvent): readonly Passage[] {
  const { extract, url } = fields;
  if (typeof extract !== 'string') return [];
  const link = typeof url === 'string' ? url : null;
  return [{ ref, date: occurredAt, url: link, title: null, text: extract, reading }];
}

const dateOf = ({ date }: Passage): number => (date === null ? Number.NEGATIVE_INFINITY : Date.parse(date));

function newestFirst(left: Passage, right: Passage): number {
  const [one, other] = [dateOf(left), dateOf(right)];
  return one === other ? compareCodePoints(left.ref, right.ref) : other - one;
}

/** The companies that may have a passage with a keyword: all that have one, and possibly more. */
export async function mentionedCompanies(
  source: NetworkSource,
  companies: readonly CompanyFacts[],
  window: RunWindow,
  { keywords, mentions }: Statements,
): Promise<ReadonlySet<string>> {
  const mentioned = new Set(
    companies
      .filter(({ tagline, activitySummary }) => mentions(tagline ?? '') || mentions(activitySummary ?? ''))
      .map(({ ref }) => ref),
  );
  const companyRefs = companies.filter(({ ref }) => !mentioned.has(ref)).map(({ ref }) => ref);
  if (companyRefs.length === 0) return mentioned;
  const posts = { ...window, whose: { companyRefs, personRefs: [] }, keywords };
  for await (const { author } of eachItem((paging) => source.posts({ ...posts, ...paging })))
    if (author?.company) mentioned.add(author.company.ref);
  const postings = { ...window, companyRefs, keywords };
  for await (const { companyRef } of eachItem((paging) => source.jobPostings({ ...postings, ...paging })))
    if (companyRef !== null) mentioned.add(companyRef);
  const events = { ...window, companyRefs, events: PUBLIC_EVENTS };
  for await (const event of eachItem((paging) => source.companyEvents({ ...events, ...paging })))
    if (passageOfEvent(event).some(({ text }) => mentions(text ?? ''))) mentioned.add(event.companyRef);
  return mentioned;
}
