import type { Immutable } from '#kernel/events/event.js';
import { boundedUrl, EXCERPT_LENGTH, TEXT_LENGTH } from '#kernel/values/bounded-text.js';
import { firstCharacters } from '#kernel/values/first-characters.js';
import { isJsonObject, withoutNulls, type JsonObject, type JsonValue } from '#kernel/values/json.js';
import { Nullable, Type, type Static } from '#kernel/values/schema.js';
import { INTERACTIONS, isInteraction } from './interaction-facts.js';

const nullableText = Nullable(Type.String());

/** The person behind the source content, as detections show it. */
export const DetectionAuthor = Type.Object(
  {
    full_name: nullableText,
    headline: nullableText,
    network_url: nullableText,
  },
  { title: 'DetectionAuthor' },
);
export type DetectionAuthor = Immutable<Static<typeof DetectionAuthor>>;

/** What a detection shows beside its payload. */
export type Shortcuts = {
  readonly sourceUrl: string | null;
  readonly author: DetectionAuthor | null;
  readonly excerpt: string | null;
  /** The keys of `details` (OP-20) with a value other than null. */
  readonly details: JsonObject;
};

/** The stored shortcuts: an absent one is derived from the payload. In `details` null means that there is none. */
export type StoredShortcuts = Partial<Omit<Shortcuts, 'details'>> & Pick<Shortcuts, 'details'>;

/** A payload in the form of its type, or any JSON that an operator gave. */
type Detected = {
  readonly signalType: string;
  readonly signalDate: string | null;
  readonly data: JsonValue;
};

/**
 * Link, author and details derived from the payload of a detection (OP-20, OP-35). Stored events are read with this
 * rule, so another rule needs another version of SignalDetected.
 */
export function payloadShortcuts({ signalType, signalDate, data }: Detected): Omit<Shortcuts, 'excerpt'> {
  const payload = isJsonObject(data) ? data : {};
  const [interaction, post] = [memberAt(payload, 'interaction'), memberAt(payload, 'post')];
  const [actor, poster] = [memberAt(interaction, 'author'), memberAt(post, 'author')];
  const [previous, current] = [memberAt(payload, 'previous'), memberAt(payload, 'current')];
  const counterpart = isLeadThePoster(signalType) ? actor : poster;
  const details = {
    post_text: textAt(post, 'extract'),
    action_date: signalDate,
    interaction: interactionOf(signalType),
    comment_text: textAt(actor, 'comment_text'),
    counterpart_name: textAt(counterpart, 'full_name'),
    counterpart_role: textAt(counterpart, 'role'),
    counterpart_company: textAt(counterpart, 'company_name'),
    job_title: textAt(memberAt(payload, 'job_posting'), 'title'),
    new_role: textAt(current, 'title'),
    new_company: textAt(current, 'company_name'),
    previous_role: textAt(previous, 'title'),
    previous_company: textAt(previous, 'company_name'),
    keywords: textsAt(payload, 'keywords_found'),
  };
  return {
    sourceUrl: linkIn(payload),
    author: firstOf(peopleIn(payload).map(personIn)),
    details: withoutNulls(details),
  };
}

/**
 * The author in a payload of whom only the headline is known. `payloadShortcuts` does not know this author, so the
 * author is stored.
 */
export const unnamedAuthorIn = (payload: JsonObject): DetectionAuthor | null =>
  firstOf(peopleIn(payload).map(headlineIn));

/** The beginning of the first text with content: comment, post, these, then evidence. White space is no content. */
export function excerptOf(
  { comment_text, post_text }: JsonObject,
  data: JsonValue,
  seen: readonly (string | null)[] = [],
): string | null {
  const evidence = objectsAt(isJsonObject(data) ? data : {}, 'evidence');
  const texts = [comment_text, post_text, ...seen, ...evidence.map((piece) => textAt(piece, 'extract'))];
  const first = texts.find((text) => typeof text === 'string' && text.trim() !== '');
  return typeof first === 'string' ? firstCharacters(first, EXCERPT_LENGTH) : null;
}

/** Leaves out what can be derived from the payload, so that no text is stored twice; `shortcutsIn` restores it. */
export function storedShortcuts(
  detected: Detected,
  { sourceUrl, author, excerpt, details }: Shortcuts,
): StoredShortcuts {
  const payload = payloadShortcuts(detected);
  return {
    ...(sourceUrl !== payload.sourceUrl && { sourceUrl }),
    ...(!isSameAuthor(author, payload.author) && { author }),
    ...(excerpt !== excerptOf(details, detected.data) && { excerpt }),
    details: Object.fromEntries(
      Object.keys({ ...payload.details, ...details })
        .filter((key) => JSON.stringify(details[key]) !== JSON.stringify(payload.details[key]))
        .map((key) => [key, details[key] ?? null]),
    ),
  };
}

/** The shortcuts of a stored detection. */
export function shortcutsIn(detection: Detected & StoredShortcuts): Shortcuts {
  const payload = payloadShortcuts(detection);
  const details = withoutNulls({ ...payload.details, ...detection.details });
  const { sourceUrl = payload.sourceUrl, author = payload.author } = detection;
  const { excerpt = excerptOf(details, detection.data) } = detection;
  return { sourceUrl, author, excerpt, details };
}

/** The links in a payload of any type, most relevant first. */
function linkIn(payload: JsonObject): string | null {
  const places = [
    memberAt(payload, 'interaction'),
    memberAt(payload, 'post'),
    memberAt(payload, 'job_posting'),
    // Newest first: an insight takes the values of its newest posting.
    ...objectsAt(payload, 'job_postings').slice(0, 1),
    ...objectsAt(payload, 'evidence'),
  ];
  return places.map((place) => linkAt(place, 'url')).find((url) => url !== null) ?? null;
}

/**
 * If the tracked side acts, the lead is the poster; in other interactions it is the person who reacted or commented
 * (OP-35).
 */
const isLeadThePoster = (type: string): boolean =>
  isInteraction(type) && INTERACTIONS[type].direction === 'outbound';

function interactionOf(type: string): 'post' | 'comment' | 'reaction' | null {
  if (type === 'keywordDetection') return 'post';
  return isInteraction(type) ? INTERACTIONS[type].kind : null;
}

/** The places of the author in a payload of any type, in the order of OP-35. */
const peopleIn = (payload: JsonObject): readonly JsonObject[] => [
  memberAt(memberAt(payload, 'interaction'), 'author'),
  memberAt(payload, 'author'),
  memberAt(payload, 'profile'),
];

const firstOf = (authors: readonly (DetectionAuthor | null)[]): DetectionAuthor | null =>
  authors.find((author) => author !== null) ?? null;

/** A person as detections show one; null for a company, and for an author without name and page. */
function personIn(author: JsonObject): DetectionAuthor | null {
  const [full_name, network_url] = [textAt(author, 'full_name'), textAt(author, 'network_url')];
  if (author['type'] === 'company' || (full_name === null && network_url === null)) return null;
  return { full_name, headline: textAt(author, 'headline'), network_url };
}

/** A person of whom only the headline is known; null for a company. */
function headlineIn(author: JsonObject): DetectionAuthor | null {
  const headline = textAt(author, 'headline');
  if (author['type'] === 'company' || headline === null) return null;
  return { full_name: null, headline, network_url: null };
}

function isSameAuthor(one: DetectionAuthor | null, other: DetectionAuthor | null): boolean {
  if (one === null || other === null) return one === other;
  return (
    one.full_name === other.full_name &&
    one.headline === other.headline &&
    one.network_url === other.network_url
  );
}

function memberAt(object: JsonObject, key: string): JsonObject {
  const value = ownMember(object, key);
  return isJsonObject(value) ? value : {};
}

function textAt(object: JsonObject, key: string): string | null {
  const value = ownMember(object, key);
  return typeof value === 'string' && value !== '' ? firstCharacters(value, TEXT_LENGTH) : null;
}

const linkAt = (object: JsonObject, key: string): string | null => boundedUrl(textAt(object, key));

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
