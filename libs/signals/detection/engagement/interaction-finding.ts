import { INTERACTIONS, type Interaction } from '#signals/domain/runs/interaction-facts.js';
import type { PayloadOf } from '#signals/domain/runs/payload-facts.js';
import type { Author, ObservedInteraction } from '#network/network-source.port.js';
import { contentAuthorOf } from '#signals/detection/contents.js';
import type { Finding, SeenContent } from '#signals/detection/finding.js';
import { bounded, EXCERPT_LENGTH, boundedUrl, TEXT_LENGTH } from '#kernel/values/bounded-text.js';
import { authorOf } from '#identities/observed-facts.js';
import type { Sides } from './sides.js';

/** The finding of a comment or reaction: about the other side, by the actor, with the tracked side (D-40). */
export function interactionFinding(
  type: Interaction,
  seen: ObservedInteraction,
  { tracked, other }: Sides,
): Finding | null {
  const isInbound = INTERACTIONS[type].direction === 'inbound';
  const [actor, poster] = isInbound ? [other, tracked] : [tracked, other];
  if (actor.entity !== 'person') return null;
  return {
    subject: `${type}:${seen.ref}`,
    signalType: type,
    signalDate: seen.happenedAt,
    data: isBrief(type) ? briefly(actor, poster) : atLength(type, seen, actor, poster),
    company: other.company,
    lead: other.person,
    author: actor.person,
    counterpart: tracked,
    contents: contentsOf(type, seen),
    readings: [seen.reading, seen.post.reading],
  };
}

/** Comments between a watched side and accounts, partners and similar lists. */
export const isBrief = (type: Interaction): boolean =>
  type.endsWith('InboundComment') || type.endsWith('OutboundComment');

/** Interactions of a competitor's team. */
export const isAboutTeam = (type: Interaction): boolean =>
  type === 'networkComment' || type === 'networkReaction';

const briefly = (actor: Author, poster: Author): PayloadOf<'competitorInboundComment'> => ({
  interaction: { type: 'comment', content_id: null, author: named(actor) },
  post: { content_id: null, author: named(poster) },
});

const atLength = (
  type: Interaction,
  { url, text, post }: ObservedInteraction,
  actor: Author,
  poster: Author,
): PayloadOf<'networkComment' | 'leadCommentedOwnContent'> => ({
  interaction: {
    type: INTERACTIONS[type].kind,
    url: boundedUrl(url),
    ...(isAboutTeam(type) && { content_id: null }),
    author: { ...introduced(actor), comment_text: bounded(text, TEXT_LENGTH) },
  },
  post: {
    url: boundedUrl(post.url),
    extract: bounded(post.text, EXCERPT_LENGTH),
    author: introduced(poster),
  },
});

function named(author: Author) {
  if (author.entity === 'company')
    return {
      full_name: bounded(author.company.name),
      network_url: author.company.networkUrl,
      headline: null,
    };
  const { full_name, network_url, headline } = authorOf(author.person);
  return { full_name, network_url, headline };
}

/** A page has the name of its company and no role. */
function introduced(author: Author) {
  if (author.entity === 'company') {
    const { name, networkUrl } = author.company;
    return {
      full_name: bounded(name),
      first_name: null,
      last_name: null,
      network_url: networkUrl,
      company_name: bounded(name),
      role: null,
    };
  }
  const { person, company } = author;
  return {
    full_name: bounded(person.fullName),
    first_name: bounded(person.firstName),
    last_name: bounded(person.lastName),
    network_url: person.networkUrl,
    company_name: bounded(company?.name ?? person.current?.companyName ?? null),
    role: bounded(person.current?.title ?? null),
  };
}

/** The comment before its post. Some types show both texts, and some are captured in the workspace. */
function contentsOf(type: Interaction, seen: ObservedInteraction): readonly SeenContent[] {
  const seenPost: SeenContent = {
    ...NOT_CAPTURED,
    ref: seen.post.ref,
    type: 'post',
    url: seen.post.url,
    text: seen.post.text,
    publishedAt: seen.post.publishedAt,
    author: contentAuthorOf(seen.post.author),
    idIn: isBrief(type) ? 'post' : null,
  };
  if (INTERACTIONS[type].kind === 'reaction') return [seenPost];
  const captured = isBrief(type) || isAboutTeam(type);
  const comment: SeenContent = {
    ...NOT_CAPTURED,
    ref: seen.ref,
    type: 'comment',
    url: seen.url,
    text: seen.text,
    publishedAt: seen.happenedAt,
    author: contentAuthorOf(seen.actor),
    captured,
    idIn: captured ? 'interaction' : null,
  };
  return [comment, seenPost];
}

const NOT_CAPTURED = { captured: false, reactionCount: null, commentCount: null } as const;
