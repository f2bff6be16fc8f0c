import { parseFeed } from 'feedsmith';
import { MalformedAnswer, momentOf } from '../answer-fields.js';
import { plainText } from '../plain-text.js';

/** An item of a feed as a post. */
export type SeenPost = {
  /** The feed's own: its guid or id, else its link. */
  readonly id: string;
  readonly url: string | null;
  readonly text: string;
  /** UTC with milliseconds; null where the feed gives none that can be read. */
  readonly publishedAt: string | null;
};

export type FeedPage = {
  readonly posts: readonly SeenPost[];
  /** Items without a text, or with nothing that names them. */
  readonly skipped: number;
};

type Item = {
  readonly ids: readonly (string | undefined)[];
  readonly links: readonly (string | undefined)[];
  readonly title: string | undefined;
  /** The first that says something counts: the whole text before a summary. */
  readonly texts: readonly (string | undefined)[];
  readonly dates: readonly unknown[];
};

/** Reads RSS, Atom, RDF or a JSON Feed. Throws `MalformedAnswer` for anything else. */
export function readFeed(body: string): FeedPage {
  const read = itemsIn(body).map(postOf);
  const posts = read.filter((post) => post !== null);
  return { posts, skipped: read.length - posts.length };
}

function itemsIn(body: string): readonly Item[] {
  let parsed: ReturnType<typeof parseFeed>;
  try {
    parsed = parseFeed(body);
  } catch {
    const isPage = /^\s*<(!doctype html|html)\b/i.test(body);
    throw new MalformedAnswer(isPage ? 'answered HTML and no feed' : 'answered no feed');
  }
  switch (parsed.format) {
    case 'rss':
      return (parsed.feed.items ?? []).map((item) => ({
        ids: [item.guid?.value],
        links: [item.link, item.guid?.isPermaLink === false ? undefined : item.guid?.value],
        title: item.title,
        texts: [item.content?.encoded, item.description],
        dates: [item.pubDate, ...(item.dc?.dates ?? [])],
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
        dates: [entry.published, entry.updated],
      }));
    case 'rdf':
      return (parsed.feed.items ?? []).map((item) => ({
        ids: [item.rdf?.about],
        links: [item.link],
        title: item.title,
        texts: [item.content?.encoded, item.description],
        dates: [...(item.dc?.dates ?? [])],
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

function postOf({ ids, links, title, texts, dates }: Item): SeenPost | null {
  const url = links.find((link) => isAddress(link)) ?? null;
  const id = ids.find((one) => typeof one === 'string' && one.trim() !== '')?.trim() ?? url;
  const heading = plainOrNull(title);
  const words = texts.map(plainOrNull).find((text) => text !== null) ?? null;
  // Short posts have their own beginning for a title.
  const isRepeated =
    heading !== null && words !== null && words.startsWith(heading.replace(/(…|\.\.\.)$/, ''));
  const parts = [isRepeated ? null : heading, words].filter((part) => part !== null);
  if (id === null || parts.length === 0) return null;
  const moments = dates.map((date) => momentOf(typeof date === 'string' ? date : null));
  return { id, url, text: parts.join('\n'), publishedAt: moments.find((moment) => moment !== null) ?? null };
}

function plainOrNull(text: unknown): string | null {
  return typeof text === 'string' ? plainText(text) : null;
}

function isAddress(link: unknown): link is string {
  return typeof link === 'string' && /^https?:\/\//i.test(link) && URL.canParse(link);
}
