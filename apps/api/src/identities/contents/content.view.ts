import { ContentFacts } from '#identities/domain/contents/content-facts.js';
import type { Immutable } from '#kernel/events/event.js';
import { Id, Nullable, OneOf, Type, type Static } from '#kernel/values/schema.js';
import type { ContentDocument } from '#projections/identities/contents/contents.projection.js';

const { reaction_count: _reactions, comment_count: _comments, ...shown } = ContentFacts.properties;
const Count = Nullable(Type.Integer({ minimum: 0 }));

/** A post, comment or job posting (OP-60). */
export const ContentView = Type.Object(
  {
    id: Id,
    type: OneOf('post', 'comment', 'job_posting'),
    ...shown,
    lead_id: Nullable(Id),
    company_id: Nullable(Id),
    reaction_count: Count,
    comment_count: Count,
  },
  { title: 'Content' },
);
export type ContentView = Immutable<Static<typeof ContentView>>;

export const contentView = ({ id, type, facts, leadId, companyId }: ContentDocument): ContentView => ({
  id,
  type,
  url: facts.url,
  text: facts.text,
  published_at: facts.published_at,
  author: facts.author,
  lead_id: leadId,
  company_id: companyId,
  reaction_count: facts.reaction_count,
  comment_count: facts.comment_count,
});
