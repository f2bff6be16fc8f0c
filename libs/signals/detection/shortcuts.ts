import { isJsonObject, type JsonObject, type JsonValue } from '#kernel/values/json.js';
import type { Immutable } from '#kernel/events/event.js';
import type { Static } from '#kernel/values/schema.js';
import { INTERACTIONS, isInteraction } from '#signals/domain/runs/interaction-facts.js';
import type { DetectionAuthor } from '#signals/domain/runs/signal-detected.event.js';
import type { SignalType } from '#signals/domain/runs/signal-types.js';
import type { PersonFacts } from '#network/network-directory.port.js';
import type { Author as NetworkAuthor } from '#network/network-source.port.js';
import type { SeenContent } from './finding.js';
import { authorOf, capped, EXCERPT_LENGTH, shortUrl, TEXT_LENGTH } from '#identities/observed-facts.js';

type Author = Immutable<Static<typeof DetectionAuthor>>;

/** A signal of the documented shape, and what was seen behind it: nothing, where it was added by hand. */
export type Shown = {
  readonly signalType: SignalType;
  readonly signalDate: string | null;
  readonly data: JsonObject;
  readonly author?: PersonFacts | null;
  readonly counterpart?: NetworkAuthor | null;
  readonly contents?: readonly Pick<SeenContent, 'type' | 'url' | 'text'>[];
};

/** What a detection shows beside its payload. */
export type Shortcuts = {
  readonly sourceUrl: string | null;
  readonly author: Author | null;
  readonly excerpt: string | null;
  /** The keys of `details` (OP-20) that differ from null. */
  readonly details: JsonObject;
};

/**
 * The shortcuts of a signal, found or added by hand: link, author by the fixed priority of OP-35, comment before
 * post, and who took part beside the lead. What was seen goes before what the payload repeats of it; what neither
 * says is null.
 */
export function shortcutsOf(shown: Shown): Shortcuts {
  const { signalType, signalDate, data, contents = [] } = shown;
  const [interaction, post] = [memberAt(data, 'interaction'), memberAt(data, 'post')];
  const [actor, poster] = [memberAt(interaction, 'author'), memberAt(post, 'author')];
  const [posting, profile] = [memberAt(data, 'job_posting'), memberAt(data, 'profile')];
  const [previous, current] = [memberAt(data, 'previous'), memberAt(data, 'current')];
  const textOf = (type: SeenContent['type']): string | null =>
    capped(contents.find((content) => content.type === type)?.text ?? null, TEXT_LENGTH);
  const comment = textOf('comment') ?? textAt(actor, 'comment_text');
  const postText = textOf('post') ?? textAt(post, 'extract');
  const counterpart = counterpartOf(shown) ?? (isLeadThePoster(signalType) ? actor : poster);
  const details = {
    post_text: postText,
    action_date: signalDate,
    interaction: interactionOf(signalType),
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
    sourceUrl: linkOf(contents) ?? linkIn(data),
    author: shown.author
      ? authorOf(shown.author)
      : (personIn(actor) ?? personIn(memberAt(data, 'author')) ?? personIn(profile)),
    excerpt: extractOf([
      comment,
      postText,
      textOf('job_posting'),
      ...objectsAt(data, 'evidence').map((piece) => textAt(piece, 'extract')),
    ]),
    details: Object.fromEntries(Object.entries(details).filter(([, value]) => value !== null)),
  };
}

/** The first link among what was seen. */
const linkOf = (contents: readonly Pick<SeenContent, 'url'>[]): string | null =>
  contents.map(({ url }) => shortUrl(url)).find((url) => url !== null) ?? null;

/** Where a payload of any type has its links: the most telling first. */
function linkIn(data: JsonObject): string | null {
  const places = [
    memberAt(data, 'interaction'),
    memberAt(data, 'post'),
    memberAt(data, 'job_posting'),
    // Newest first: an insight is about what its newest posting says.
    ...objectsAt(data, 'job_postings').slice(0, 1),
    ...objectsAt(data, 'evidence'),
  ];
  return places.map((place) => shortUrl(textAt(place, 'url'))).find((url) => url !== null) ?? null;
}

/** The beginning of the first text that says something: white space alone does not. */
function extractOf(texts: readonly (string | null)[]): string | null {
  return capped(texts.find((text) => text !== null && text.trim() !== '') ?? null, EXCERPT_LENGTH);
}

function counterpartOf({ counterpart }: Shown): JsonObject | null {
  if (counterpart === undefined || counterpart === null) return null;
  if (counterpart.entity === 'company')
    return { full_name: counterpart.company.name, company_name: counterpart.company.name };
  const { person, company } = counterpart;
  return {
    full_name: person.fullName,
    role: person.current?.title ?? null,
    company_name: company?.name ?? person.current?.companyName ?? null,
  };
}

/** The lead is who posted where the tracked side acts; in the other interactions who reacted or commented (OP-35). */
const isLeadThePoster = (type: SignalType): boolean =>
  isInteraction(type) && INTERACTIONS[type].direction === 'outbound';

function interactionOf(type: SignalType): 'post' | 'comment' | 'reaction' | null {
  if (type === 'keywordDetection') return 'post';
  return isInteraction(type) ? INTERACTIONS[type].kind : null;
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

function objectsAt(object: JsonObject, key: string): readonly JsonObject[] {
  const value = ownMember(object, key);
  return Array.isArray(value) ? value.filter((entry) => isJsonObject(entry)) : [];
}

function textsAt(object: JsonObject, key: string): readonly string[] | null {
  const value = ownMember(object, key);
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : null;
}

const ownMember = (object: JsonObject, key: string): JsonValue | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;
