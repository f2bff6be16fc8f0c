import { grouped } from '#kernel/values/grouped.js';
import { isJsonObject, type JsonValue } from '#kernel/values/json.js';
import type { CompanyFacts } from '#network/network-directory.port.js';
import type { JobPostingWindow, NetworkSource, ObservedJobPosting } from '#network/network-source.port.js';
import { compareCodePoints, positionFrom, type ReadPosition } from '#network/position.js';
import type { DetectorRead } from '#signals/detection/detector.js';
import type { TopicMatcher } from './topic.js';

/** The progress of a run. */
export type MomentsProgress = {
  /** The last posting of the completed moments; null: none is complete. */
  readonly behind: ReadPosition | null;
  /** The last completed company of the following moment; null: none. */
  readonly company: string | null;
};

/** A company with a posting about the topic at a moment. */
export type CompanyAt = {
  readonly position: MomentsProgress;
  readonly company: CompanyFacts;
  /** The moment, in the time of the window and of the order. */
  readonly windowAt: string;
};

export function progressOf(position: JsonValue): MomentsProgress {
  if (!isJsonObject(position)) return { behind: null, company: null };
  const { behind = null, company } = position;
  return { behind: positionFrom(behind), company: typeof company === 'string' ? company : null };
}

type MomentsSearch = JobPostingWindow & { readonly topic: TopicMatcher; readonly limit: number };

/**
 * Companies by the moments of their postings, and by ref within a moment. Postings themselves are ordered by their
 * own refs within a moment. A moment is read as a whole, for any number of postings.
 */
export async function momentsOfPostings(
  source: NetworkSource,
  search: MomentsSearch,
  { behind, company: dealtWith }: MomentsProgress,
): Promise<DetectorRead<CompanyAt>> {
  const { postings, isLast } = await wholeMoments(source, search, behind);
  const items: CompanyAt[] = [];
  let before = behind;
  for (const [index, moment] of momentsOf(postings).entries()) {
    const done = index === 0 ? dealtWith : null;
    const end = moment.at(-1)?.position ?? before;
    const companies = companiesOf(moment.filter(search.topic.isSupportedBy)).filter(
      ({ ref }) => done === null || compareCodePoints(ref, done) > 0,
    );
    for (const [place, company] of companies.entries()) {
      const isLastOfMoment = place === companies.length - 1;
      items.push({
        position: isLastOfMoment ? { behind: end, company: null } : { behind: before, company: company.ref },
        company,
        windowAt: moment[0]?.windowAt ?? '',
      });
    }
    before = end;
  }
  return { items, next: isLast ? null : { behind: before, company: null } };
}

/** Postings after a position up to the end of a moment. */
async function wholeMoments(
  source: NetworkSource,
  { topic: { keywords }, ...search }: MomentsSearch,
  behind: ReadPosition | null,
): Promise<{ readonly postings: readonly ObservedJobPosting[]; readonly isLast: boolean }> {
  const postings: ObservedJobPosting[] = [];
  for (let position = behind; ;) {
    const { items, next } = await source.jobPostings({ ...search, keywords, position });
    postings.push(...items);
    if (next === null) return { postings, isLast: true };
    position = next;
    const last = postings.at(-1)?.windowAt;
    // The last moment may continue on the next page.
    if (postings[0]?.windowAt !== last)
      return { postings: postings.filter(({ windowAt }) => windowAt !== last), isLast: false };
  }
}

const momentsOf = (postings: readonly ObservedJobPosting[]): readonly (readonly ObservedJobPosting[])[] => [
  ...grouped(postings.map((posting) => [posting.windowAt, posting])).values(),
];

/** The known companies of postings, without duplicates, by ref. */
function companiesOf(postings: readonly ObservedJobPosting[]): readonly CompanyFacts[] {
  const companies = new Map(
    postings.flatMap(({ company }) => (company === null ? [] : [[company.ref, company] as const])),
  );
  return [...companies.values()].sort((left, right) => compareCodePoints(left.ref, right.ref));
}
