import type { Immutable } from '#kernel/events/event.js';
import { Nullable, Timestamp, Type, type Static } from '#kernel/values/schema.js';

const nullableText = Nullable(Type.String());

/** Who published a piece of content: a person, or a company in its own name. */
export const ContentAuthor = Type.Union(
  [
    Type.Object(
      {
        type: Type.Literal('profile'),
        full_name: nullableText,
        headline: nullableText,
        network_url: nullableText,
      },
      { title: 'ProfileAuthor' },
    ),
    Type.Object(
      { type: Type.Literal('company'), company_name: nullableText, network_url: nullableText },
      { title: 'CompanyAuthor' },
    ),
  ],
  { title: 'ContentAuthor' },
);
export type ContentAuthor = Immutable<Static<typeof ContentAuthor>>;

/** The copied facts of a post, comment or job posting, with the keys of the Contents routes (OP-60). */
export const ContentFacts = Type.Object({
  url: nullableText,
  text: nullableText,
  published_at: Nullable(Timestamp),
  /** null when the author is not known. */
  author: Nullable(ContentAuthor),
  reaction_count: Nullable(Type.Integer()),
  comment_count: Nullable(Type.Integer()),
});
export type ContentFacts = Immutable<Static<typeof ContentFacts>>;
