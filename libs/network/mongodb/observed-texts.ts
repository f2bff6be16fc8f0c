import type { Db } from 'mongodb';
import type { ObservedJobPosting, ObservedPost, PostAuthor } from '../network-source.port.js';
import type { CompanyFacts, PersonFacts } from '../network-directory.port.js';
import type { JobPostingObservation, ObservationKind, PostObservation } from '../observation.js';
import { iso } from '../text-window.js';
import type { MongoNetworkReads } from './mongo-directory.js';
import { observationsIn } from './network-collections.js';

/** A text that matches: what was observed, when it happened, and what was found in it. */
export type Match<Observation> = {
  readonly observation: Observation;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly keywordsFound: readonly string[];
};

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
  return page.map(({ observation: post, at, keywordsFound }) => ({
    ref: post.ref,
    rev: post.rev,
    url: post.url,
    text: post.text ?? '',
    publishedAt: iso(at),
    authorRef: post.authorRef,
    author: authorOf(post.authorRef, people, companies),
    commentCount: echo('comment', post.ref),
    reactionCount: echo('reaction', post.ref),
    keywordsFound,
  }));
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
  return page.map(({ observation, at, keywordsFound }) => {
    const { ref, rev, title, description, location, url, companyRef, hiringManagerRef } = observation;
    return {
      ref,
      rev,
      title,
      description,
      location,
      url,
      postedAt: iso(at),
      company: companyRef === null ? null : (companies.get(companyRef) ?? null),
      hiringManager: hiringManagerRef === null ? null : (people.get(hiringManagerRef) ?? null),
      keywordsFound,
    };
  });
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

function authorOf(
  ref: string | null,
  people: ReadonlyMap<string, PersonFacts>,
  companies: ReadonlyMap<string, CompanyFacts>,
): PostAuthor | null {
  if (ref === null) return null;
  const person = people.get(ref);
  if (person !== undefined) {
    const employer = person.current?.companyRef ?? null;
    return {
      entity: 'person',
      person,
      company: employer === null ? null : (companies.get(employer) ?? null),
    };
  }
  const company = companies.get(ref);
  return company === undefined ? null : { entity: 'company', company };
}
