import { isJsonObject, type JsonValue } from '#kernel/values/json.js';
import type { CompanyFacts } from '#network/network-directory.port.js';
import type { JobPostingWindow, NetworkSource, ObservedJobPosting } from '#network/network-source.port.js';
import { compareCodePoints, positionFrom, type ReadPosition } from '#network/position.js';
import type { DetectorRead } from '#signals/detection/detector.js';
import type { TopicMatcher } from './topic.js';

/** How far a run has come. */
export type MomentsProgress = {
  /** The last posting of the moments that were dealt with; null: none was yet. */
  readonly behind: ReadPosition | null;
  /** The last company of the moment that follows which was dealt with; null: none of them was. */
  readonly company: string | null;
};

/** A company that posted something about the topic at a moment. */
export type CompanyAt = {
  readonly position: MomentsProgress;
  readonly company: CompanyFacts;
  /** The moment: of the window, as the order is. */
  readonly windowAt: string;
};

export function progressOf(position: JsonValue): MomentsProgress {
  if (!isJsonObject(position)) return { behind: null, company: null };
  const { behind = null, company } = position;
  return { behind: positionFrom(behind), company: typeof company === 'string' ? company : null };
}

/**
 * Companies by the moments of their postings, and within a moment by ref: other than the postings themselves, which
 * go by refs of their own, they are told in that order. A moment is read as a whole, however many postings it has.
 */
export async function momentsOfPostings(
  source: NetworkSource,
  search: JobPostingWindow & { readonly topic: TopicMatcher; readonly limit: number },
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

/** Postings behind a position up to the end of a moment. */
async function wholeMoments(
  source: NetworkSource,
  {
    topic: { keywords },
    ...search
  }: JobPostingWindow & { readonly topic: TopicMatcher; readonly limit: number },
  behind: ReadPosition | null,
): Promise<{ readonly postings: readonly ObservedJobPosting[]; readonly isLast: boolean }> {
  const postings: ObservedJobPosting[] = [];
  for (let position = behind; ;) {
    const { items, next } = await source.jobPostings({ ...search, keywords, position });
    postings.push(...items);
    if (next === null) return { postings, isLast: true };
    position = next;
    const last = postings.at(-1)?.windowAt;
    // The last moment may go on behind the page.
    if (postings[0]?.windowAt !== last)
      return { postings: postings.filter(({ windowAt }) => windowAt !== last), isLast: false };
  }
}

function momentsOf(postings: readonly ObservedJobPosting[]): readonly (readonly ObservedJobPosting[])[] {
  const moments = new Map<string, ObservedJobPosting[]>();
  for (const posting of postings) {
    const moment = moments.get(posting.windowAt);
    if (moment === undefined) moments.set(posting.windowAt, [posting]);
    else moment.push(posting);
  }
  return [...moments.values()];
}

/** The known companies of postings, each once, by ref. */
function companiesOf(postings: readonly ObservedJobPosting[]): readonly CompanyFacts[] {
  const companies = new Map(
    postings.flatMap(({ company }) => (company === null ? [] : [[company.ref, company] as const])),
  );
  return [...companies.values()].sort((left, right) => compareCodePoints(left.ref, right.ref));
}
