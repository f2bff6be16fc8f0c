import { visibleText } from '#kernel/values/blank-text.js';
import { authorOf, type KnownEntities } from './known-authors.js';
import type { InteractionKind, ObservedJobPosting, ObservedPost, ReadingOf } from './network-source.port.js';
import type { JobPostingObservation, PostObservation } from './observation.js';
import { positionOf } from './position.js';
import { iso } from './text-window.js';

/** A matching text: the observation, its time, and the keywords found. */
export type TextMatch<Observation> = {
  readonly observation: Observation;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly reading: ReadingOf;
  readonly keywordsFound: readonly string[];
};

/** The number of comments or reactions of a post. */
export type EchoOf = (postRef: string, kind: InteractionKind) => number;

/** A matching post in the form of the port. */
export function observedPost(
  { observation: post, at, reading, keywordsFound }: TextMatch<PostObservation>,
  known: KnownEntities,
  echoOf: EchoOf,
): ObservedPost {
  return {
    position: positionOf({ at, ref: post.ref, tie: '' }),
    reading,
    ref: post.ref,
    rev: post.rev,
    url: post.url,
    text: post.text ?? '',
    publishedAt: post.publishedAt ?? iso(at),
    authorRef: post.authorRef,
    author: authorOf(post.authorRef, known),
    commentCount: echoOf(post.ref, 'comment'),
    reactionCount: echoOf(post.ref, 'reaction'),
    keywordsFound,
  };
}

/** A matching job posting in the form of the port. */
export function observedJobPosting(
  { observation, at, reading, keywordsFound }: TextMatch<JobPostingObservation>,
  known: KnownEntities,
): ObservedJobPosting {
  const { ref, rev, title, description, location, url, companyRef, hiringManagerRef } = observation;
  const hiringManager = known.person(hiringManagerRef);
  return {
    position: positionOf({ at, ref, tie: '' }),
    reading,
    ref,
    rev,
    title: visibleText(title),
    description: visibleText(description),
    location: visibleText(location),
    url,
    postedAt: observation.postedAt ?? iso(at),
    windowAt: iso(at),
    department: visibleText(observation.department ?? null),
    workplace: observation.workplace ?? null,
    salary: observation.salary ?? null,
    companyRef,
    company: known.company(companyRef),
    hiringManager,
    hiringManagerCompany: known.company(hiringManager?.current?.companyRef ?? null),
    keywordsFound,
  };
}
