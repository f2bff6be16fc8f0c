import type { ContentAuthor } from '#identities/domain/contents/content-facts.js';
import type { ObservedJobPosting, ObservedPost, Author } from '#network/network-source.port.js';
import type { SeenContent } from './finding.js';
import { companyAuthor, profileAuthor } from '#identities/observed-facts.js';

/** The author of an observed text as findings carry it. */
export const contentAuthorOf = (author: Author | null): ContentAuthor | null => {
  if (author === null) return null;
  return author.entity === 'person' ? profileAuthor(author.person) : companyAuthor(author.company);
};

/** A post that is captured in the workspace. */
export const capturedPost = (post: ObservedPost): SeenContent => ({
  ref: post.ref,
  type: 'post',
  url: post.url,
  text: post.text,
  publishedAt: post.publishedAt,
  author: contentAuthorOf(post.author),
  reactionCount: post.reactionCount,
  commentCount: post.commentCount,
  captured: true,
  idIn: 'data',
});

export const capturedPosting = (posting: ObservedJobPosting): SeenContent => ({
  ref: posting.ref,
  type: 'job_posting',
  url: posting.url,
  text: [posting.title, posting.description].filter((part) => part !== null).join('\n'),
  publishedAt: posting.postedAt,
  author: posting.company === null ? null : companyAuthor(posting.company),
  reactionCount: null,
  commentCount: null,
  captured: true,
  idIn: null,
});
