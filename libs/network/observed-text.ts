import type { CompanyFacts, PersonFacts } from './network-directory.port.js';
import type { ObservedJobPosting, ObservedPost, PostAuthor } from './network-source.port.js';
import type { JobPostingObservation, PostObservation } from './observation.js';
import { iso } from './text-window.js';

/** A text that matches: what was observed, when it happened, and what was found in it. */
export type Match<Observation> = {
  readonly observation: Observation;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly keywordsFound: readonly string[];
};

/** Who is known at the moment of reading; null for a ref that nobody observed. */
export type KnownEntities = {
  readonly person: (ref: string) => PersonFacts | null;
  readonly company: (ref: string) => CompanyFacts | null;
};

/** A post that matches, as the port gives it. `echoOf` counts what points to it. */
export function observedPost(
  { observation: post, at, keywordsFound }: Match<PostObservation>,
  known: KnownEntities,
  echoOf: (kind: 'comment' | 'reaction') => number,
): ObservedPost {
  return {
    ref: post.ref,
    rev: post.rev,
    url: post.url,
    text: post.text ?? '',
    publishedAt: iso(at),
    authorRef: post.authorRef,
    author: post.authorRef === null ? null : authorOf(post.authorRef, known),
    commentCount: echoOf('comment'),
    reactionCount: echoOf('reaction'),
    keywordsFound,
  };
}

/** A job posting that matches, as the port gives it. */
export function observedJobPosting(
  { observation, at, keywordsFound }: Match<JobPostingObservation>,
  known: KnownEntities,
): ObservedJobPosting {
  const { ref, rev, title, description, location, url, companyRef, hiringManagerRef } = observation;
  return {
    ref,
    rev,
    title,
    description,
    location,
    url,
    postedAt: iso(at),
    company: companyRef === null ? null : known.company(companyRef),
    hiringManager: hiringManagerRef === null ? null : known.person(hiringManagerRef),
    keywordsFound,
  };
}

function authorOf(ref: string, known: KnownEntities): PostAuthor | null {
  const person = known.person(ref);
  if (person !== null) {
    const employer = person.current?.companyRef ?? null;
    return { entity: 'person', person, company: employer === null ? null : known.company(employer) };
  }
  const company = known.company(ref);
  return company === null ? null : { entity: 'company', company };
}
