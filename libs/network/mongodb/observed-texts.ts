import type { Db } from 'mongodb';
import type { CompanyFacts, PersonFacts } from '../network-directory.port.js';
import type { ObservedJobPosting, ObservedPost } from '../network-source.port.js';
import type { JobPostingObservation, ObservationKind, PostObservation } from '../observation.js';
import { observedJobPosting, observedPost, type KnownEntities, type Match } from '../observed-text.js';
import type { MongoNetworkReads } from './mongo-directory.js';
import { observationsIn } from './network-collections.js';

type Echo = {
  readonly _id: { readonly target: string; readonly kind: ObservationKind };
  readonly number: number;
};

/** The posts of a page with what is known now of their authors and echo: a few questions for all of them. */
export async function observedPosts(
  db: Db,
  reads: MongoNetworkReads,
  page: readonly Match<PostObservation>[],
): Promise<readonly ObservedPost[]> {
  if (page.length === 0) return [];
  const authorRefs = page.flatMap(({ observation }) => observation.authorRef ?? []);
  const [people, echo] = await Promise.all([
    reads.people(db, authorRefs),
    echoOf(
      db,
      page.map(({ observation }) => observation.ref),
    ),
  ]);
  const employers = [...people.values()].flatMap(({ current }) => current?.companyRef ?? []);
  const companies = await reads.companies(db, [...authorRefs, ...employers]);
  const known = knownEntities(people, companies);
  return page.map((match) => observedPost(match, known, (kind) => echo(kind, match.observation.ref)));
}

/** The job postings of a page with what is known now of who posted them. */
export async function observedJobPostings(
  db: Db,
  reads: MongoNetworkReads,
  page: readonly Match<JobPostingObservation>[],
): Promise<readonly ObservedJobPosting[]> {
  const [companies, people] = await Promise.all([
    reads.companies(
      db,
      page.flatMap(({ observation }) => observation.companyRef ?? []),
    ),
    reads.people(
      db,
      page.flatMap(({ observation }) => observation.hiringManagerRef ?? []),
    ),
  ]);
  const known = knownEntities(people, companies);
  return page.map((match) => observedJobPosting(match, known));
}

async function echoOf(
  db: Db,
  postRefs: readonly string[],
): Promise<(kind: ObservationKind, postRef: string) => number> {
  const counted = await observationsIn(db)
    .aggregate<Echo>([
      { $match: { 'echo.target': { $in: [...postRefs] } } },
      { $group: { _id: { target: '$echo.target', kind: '$echo.kind' }, number: { $sum: 1 } } },
    ])
    .toArray();
  const numbers = new Map(counted.map(({ _id, number }) => [`${_id.kind}/${_id.target}`, number]));
  return (kind, postRef) => numbers.get(`${kind}/${postRef}`) ?? 0;
}

function knownEntities(
  people: ReadonlyMap<string, PersonFacts>,
  companies: ReadonlyMap<string, CompanyFacts>,
): KnownEntities {
  return {
    person: (ref) => people.get(ref) ?? null,
    company: (ref) => companies.get(ref) ?? null,
  };
}
