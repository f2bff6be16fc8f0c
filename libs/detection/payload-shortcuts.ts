import { isJsonObject, type JsonObject, type JsonValue } from '#kernel/values/json.js';
import type { Immutable } from '#kernel/events/event.js';
import type { Static } from '#kernel/values/schema.js';
import type { DetectionAuthor } from '#domain/signal-runs/signal-detected.event.js';
import type { SIGNAL_TYPES } from '#domain/signal-runs/signal-types.js';
import { capped, EXCERPT_LENGTH, shortUrl, TEXT_LENGTH } from './observed-facts.js';

type SignalType = (typeof SIGNAL_TYPES)[number];
type Author = Immutable<Static<typeof DetectionAuthor>>;

/** What a detection shows beside its payload, as far as that is in the payload. */
export type PayloadShortcuts = {
  readonly sourceUrl: string | null;
  readonly author: Author | null;
  readonly excerpt: string | null;
  /** The keys of `details` (OP-20) that differ from null, save the date. */
  readonly details: JsonObject;
};

/**
 * Reads the shortcuts out of a payload of the documented shape (OP-42): link, author by the fixed priority of OP-35,
 * comment before post, and who took part beside the lead. What a payload does not say is null.
 */
export function payloadShortcuts(type: SignalType, data: JsonObject): PayloadShortcuts {
  const [interaction, post] = [memberAt(data, 'interaction'), memberAt(data, 'post')];
  const [actor, poster] = [memberAt(interaction, 'author'), memberAt(post, 'author')];
  const [posting, profile] = [memberAt(data, 'job_posting'), memberAt(data, 'profile')];
  const [previous, current] = [memberAt(data, 'previous'), memberAt(data, 'current')];
  const [comment, extract] = [textAt(actor, 'comment_text'), textAt(post, 'extract')];
  const counterpart = isLeadThePoster(type) ? actor : poster;
  const details = {
    post_text: extract,
    interaction: interactionOf(type),
    comment_text: comment,
    counterpart_name: textAt(counterpart, 'full_name'),
    counterpart_role: textAt(counterpart, 'role'),
    counterpart_company: textAt(counterpart, 'company_name'),
    job_title: textAt(posting, 'title'),
    new_role: textAt(current, 'title'),
    new_company: textAt(current, 'company_name'),
    previous_role: textAt(previous, 'title'),
    previous_company: textAt(previous, 'company_name'),
    keywords: textsAt(data, 'keywords_found'),
  };
  return {
    sourceUrl: shortUrl(textAt(interaction, 'url') ?? textAt(post, 'url') ?? textAt(posting, 'url')),
    author: personIn(actor) ?? personIn(memberAt(data, 'author')) ?? personIn(profile),
    excerpt: capped(comment ?? extract, EXCERPT_LENGTH),
    details: Object.fromEntries(Object.entries(details).filter(([, value]) => value !== null)),
  };
}

/** In these the lead is who posted; in the other interactions who reacted or commented (OP-35). */
const isLeadThePoster = (type: SignalType): boolean =>
  type === 'networkComment' || type === 'networkReaction' || type.endsWith('OutboundComment');

function interactionOf(type: SignalType): 'post' | 'comment' | 'reaction' | null {
  if (type === 'keywordDetection') return 'post';
  if (type === 'networkReaction' || type.startsWith('leadLiked')) return 'reaction';
  return type.endsWith('Comment') || type.startsWith('leadCommented') ? 'comment' : null;
}

/** A person as detections show one; null for a company, and for nobody. */
function personIn(author: JsonObject): Author | null {
  const [full_name, network_url] = [textAt(author, 'full_name'), textAt(author, 'network_url')];
  if (author['type'] === 'company' || (full_name === null && network_url === null)) return null;
  return { full_name, headline: textAt(author, 'headline'), network_url };
}

function memberAt(object: JsonObject, key: string): JsonObject {
  const value = ownMember(object, key);
  return isJsonObject(value) ? value : {};
}

function textAt(object: JsonObject, key: string): string | null {
  const value = ownMember(object, key);
  return typeof value === 'string' && value !== '' ? capped(value, TEXT_LENGTH) : null;
}

function textsAt(object: JsonObject, key: string): readonly string[] | null {
  const value = ownMember(object, key);
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : null;
}

const ownMember = (object: JsonObject, key: string): JsonValue | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;
