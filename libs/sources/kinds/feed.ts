import { HOUR_MS } from '#kernel/values/durations.js';
import { parseFeed } from 'feedsmith';
import { MalformedAnswer, momentOf } from '../answer-fields.js';
import { firstOfEach } from '../first-of-each.js';
import { itemRef } from '../item-ref.js';
import { plainText } from '../plain-text.js';
import { redactContacts } from '../redact-contacts.js';
import type { ParseOf, Parsed, SourceKind } from '../source-kind.js';
import { wholeAnswer } from '../whole-answer.js';
import { withoutCdata } from '../xml-answer.js';

/** An item of a feed as a post. */
export type SeenPost = {
  /** The id within the feed: guid or id, otherwise the link. */
  readonly id: string;
  readonly url: string | null;
  readonly text: string;
  /** UTC with milliseconds; null if the feed has no valid date. */
  readonly publishedAt: string | null;
};

export type FeedPage = {
  readonly posts: readonly SeenPost[];
  /** Items without a text. */
  readonly skipped: number;
  /** Hours of the day, UTC, in which the feed asks not to be read. */
  readonly skipHours: readonly number[];
};

type Item = {
  readonly ids: readonly (string | undefined)[];
  readonly links: readonly (string | undefined)[];
  readonly title: string | undefined;
  /** The first non-empty text is used: the full text before a summary. */
  readonly texts: readonly (string | undefined)[];
  readonly dates: readonly unknown[];
};

type DublinCore = {
  readonly dc?: { readonly dates?: readonly unknown[] };
  readonly dcterms?: {
    readonly issued?: readonly unknown[];
    readonly created?: readonly unknown[];
    readonly modified?: readonly unknown[];
  };
};

const LOOKS_LIKE_A_FEED =
  /(?:\.(?:rss|atom|rdf)|\/(?:feed|rss|atom|index\.xml|rss\.xml|atom\.xml|feed\.xml|feed\.json)\/?)$/i;

/** A feed of posts: RSS 2.0, Atom, RDF or a JSON Feed, read at its own address. */
export const feed: SourceKind = {
  name: 'feed',
  gives: 'posts',
  terms: {
    url: 'https://www.rssboard.org/rss-specification',
    verdict:
      'each publisher has terms of its own: read them before you add a feed, and record that with source terms; robots.txt and TDM-Reservation hold',
    readOn: null,
    paceMs: 1_000,
  },
  hostOf: ({ url }) => new URL(url).host,
  pauseMs: HOUR_MS,
  isReadAtUrl: true,
  whereRead: ({ url }) => url,
  isFile: false,
  boardAt: (address) => (LOOKS_LIKE_A_FEED.test(address.pathname) ? address.href : null),
  boardNamed: ({ href }) => href,
  parse: parsedFeed,
  read: (of, by) => wholeAnswer(feed, of, by),
};

function parsedFeed(body: string, { boardId, subjectRef, redactsContacts }: ParseOf): Parsed {
  const { posts, skipped, skipHours } = readFeed(body);
  const lines = posts.map(({ id, url, text, publishedAt }) => ({
    kind: 'post',
    ref: itemRef('feed', boardId, id),
    rev: 'auto',
    author_ref: subjectRef,
    url,
    text: redactsContacts ? redactContacts(text) : text,
    published_at: publishedAt,
  }));
  const refs = lines.map(({ ref }) => ref);
  const without = Array.from({ length: skipped }, () => null);
  return {
    lines: firstOfEach([...lines, ...without]),
    refs,
    items: posts.length + skipped,
    total: null,
    links: [],
    skipHours,
  };
}

/** Reads RSS, Atom, RDF or a JSON Feed. Throws `MalformedAnswer` for anything else. */
export function readFeed(body: string): FeedPage {
  const { items, skipHours } = itemsIn(body);
  const read = items.map(postOf);
  const posts = read.filter((post) => post !== null);
  return { posts, skipped: read.length - posts.length, skipHours };
}

function itemsIn(body: string): { readonly items: readonly Item[]; readonly skipHours: readonly number[] } {
  let parsed: ReturnType<typeof parseFeed>;
  try {
    parsed = parseFeed(body.trimStart());
  } catch {
    const isPage = /^\s*<(!doctype html|html)\b/i.test(body);
    throw new MalformedAnswer(isPage ? 'answered HTML and no feed' : 'answered no feed');
  }
  const skipHours = parsed.format === 'rss' ? (parsed.feed.skipHours ?? onlySkipHour(body)) : [];
  return { items: itemsOf(parsed), skipHours: skipHours.flatMap(hourOfDay) };
}

const ONLY_SKIP_HOUR = /<skipHours>\s*<hour>\s*(\d{1,2})\s*<\/hour>\s*<\/skipHours>/i;

/** The library returns no hours if there is only one. */
function onlySkipHour(body: string): readonly number[] {
  if (!ONLY_SKIP_HOUR.test(body)) return [];
  // A post about feeds may contain the element as text.
  const [, hour] = ONLY_SKIP_HOUR.exec(withoutCdata(body)) ?? [];
  return hour === undefined ? [] : [Number(hour)];
}

/** RSS 0.91 counts the hours from 1 to 24, later versions from 0 to 23: 24 is midnight. */
function hourOfDay(hour: unknown): readonly number[] {
  if (typeof hour !== 'number' || !Number.isInteger(hour) || hour < 0 || hour > 24) return [];
  return [hour === 24 ? 0 : hour];
}

function itemsOf(parsed: ReturnType<typeof parseFeed>): readonly Item[] {
  switch (parsed.format) {
    case 'rss':
      return (parsed.feed.items ?? []).map((item) => ({
        ids: [item.guid?.value],
        links: [item.link, item.guid?.isPermaLink === false ? undefined : item.guid?.value],
        title: item.title ?? item.dc?.titles?.[0],
        texts: [
          item.content?.encoded,
          item.description,
          item.dc?.descriptions?.[0],
          // For podcasts.
          item.itunes?.summary,
          item.itunes?.subtitle,
        ],
        dates: [item.pubDate, ...datesOf(item)],
      }));
    case 'atom':
      return (parsed.feed.entries ?? []).map((entry) => ({
        ids: [entry.id],
        links: [
          entry.links?.find(({ rel = 'alternate' }) => rel === 'alternate')?.href,
          ...(entry.links ?? []).map(({ href }) => href),
        ],
        title: entry.title?.value,
        texts: [entry.content?.value, entry.summary?.value],
        dates: [entry.published, entry.updated, ...datesOf(entry)],
      }));
    case 'rdf':
      return (parsed.feed.items ?? []).map((item) => ({
        ids: [item.rdf?.about],
        links: [item.link],
        title: item.title ?? item.dc?.titles?.[0],
        texts: [item.content?.encoded, item.description, item.dc?.descriptions?.[0]],
        dates: datesOf(item),
      }));
    case 'json':
      return (parsed.feed.items ?? []).map((item) => ({
        ids: [item.id],
        links: [item.url, item.external_url],
        title: item.title,
        texts: [item.content_html, item.content_text, item.summary],
        dates: [item.date_published, item.date_modified],
      }));
  }
}

/** Dublin Core dates, which any feed may contain besides its own. */
function datesOf({ dc, dcterms }: DublinCore): readonly unknown[] {
  const { issued = [], created = [], modified = [] } = dcterms ?? {};
  return [...(dc?.dates ?? []), ...issued, ...created, ...modified];
}

function postOf({ ids, links, title, texts, dates }: Item): SeenPost | null {
  const url = links.find((link) => isAddress(link)) ?? null;
  const id = ids.find((one) => typeof one === 'string' && one.trim() !== '')?.trim() ?? url;
  if (id === null) throw new MalformedAnswer('an item has neither an id nor an address');
  const heading = plainOrNull(title);
  const words = texts.map(plainOrNull).find((text) => text !== null) ?? null;
  // Some short posts repeat the beginning of their text as title.
  const isRepeated =
    heading !== null && words !== null && words.startsWith(heading.replace(/(…|\.\.\.)$/, ''));
  const parts = [isRepeated ? null : heading, words].filter((part) => part !== null);
  if (parts.length === 0) return null;
  const moments = dates.map((date) => momentOf(typeof date === 'string' ? date : null));
  return { id, url, text: parts.join('\n'), publishedAt: moments.find((moment) => moment !== null) ?? null };
}

function plainOrNull(text: unknown): string | null {
  return typeof text === 'string' ? plainText(text) : null;
}

function isAddress(link: unknown): link is string {
  return typeof link === 'string' && /^https?:\/\//i.test(link) && URL.canParse(link);
}
