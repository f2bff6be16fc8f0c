import { isJsonObject, type JsonObject, type JsonValue } from '#kernel/values/json.js';
import { DAY_MS } from '#kernel/values/durations.js';
import { MalformedAnswer, memberAt, textAt } from '../answer-fields.js';
import { itemRef } from '../item-ref.js';
import { postingOf } from '../job-posting-ld.js';
import { onePiece, whole } from '../pieces.js';
import { postingLine } from '../posting-line.js';
import type {
  ParseOf,
  Parsed,
  ParsedAnswer,
  ReadWith,
  SeenLine,
  SourceKind,
  SourceReading,
} from '../source-kind.js';
import { partNotRead, readingOf } from '../source-reading.js';
import { elementsOf, xmlIn } from '../xml-answer.js';

const PAUSE_MS = DAY_MS;
/** Pages of one poll: at one per second they take a quarter of an hour. */
const MOST_PAGES = 1_000;
const MOST_SITEMAPS = 50;

/** schema.org JobPostings on pages of a careers site: one page, or the pages that a sitemap lists. */
export const jsonld: SourceKind = {
  name: 'jsonld',
  gives: 'postings',
  terms: {
    url: 'https://schema.org/JobPosting',
    verdict:
      'the terms of each careers site decide: read them before you add it, and record that with source terms; robots.txt and TDM-Reservation hold',
    readOn: null,
    paceMs: 1_000,
  },
  hostOf: ({ url }) => new URL(url).host,
  pauseMs: PAUSE_MS,
  isReadAtUrl: true,
  whereRead: ({ url }) => url,
  isFile: false,
  boardAt: ({ pathname, href }) => (/\/[^/]*sitemap[^/]*\.xml$/i.test(pathname) ? href : null),
  boardNamed: ({ href }) => href,
  parse: (body, of) =>
    of.url.startsWith(SITEMAP) || /^\s*(?:<\?xml|<urlset\b|<sitemapindex\b)/i.test(body)
      ? parsedSitemap(body)
      : parsedPage(body, of),
  read: (of, by) => readPages(of, by),
};

/** Reads the page, or follows the sitemap. A listed page that no longer exists has no posting. */
async function readPages(
  of: ParseOf,
  { client, parse, known, signal, onRequest }: ReadWith,
): Promise<SourceReading> {
  const paceMs = jsonld.terms.paceMs;
  const first = await client.get(of.url, { validators: null, paceMs, signal });
  if (first.outcome !== 'read') return first;
  const lines = new Map<string, SeenLine>();
  const refs = new Set<string>();
  const shownBefore = new Set(known);
  const showing = new Set<string>();
  let unreadable = 0;
  // Missing postings are closed only if the next reading lacks them too.
  let isUnsure = false;
  const take = async (page: string, parsed: ParsedAnswer, sentAtMs: number): Promise<void> => {
    const faults = parsed.unreadable ?? 0;
    unreadable += faults;
    if (parsed.items > 0) showing.add(page);
    // The page may be truncated, or ask whether a person reads it: that is no proof that the posting is gone.
    isUnsure ||= shownBefore.has(page) && (parsed.items === 0 || faults > 0);
    for (const ref of parsed.refs) refs.add(ref);
    for (const { valid_through: until, ...line } of (await whole(parsed.lines)).items) {
      const hasExpired = typeof until === 'string' && Date.parse(until) < first.sentAtMs;
      if (!hasExpired) lines.set(line.ref, { line, sentAtMs });
      // A posting that had expired before the request is gone, unless another page still shows it as valid.
      else if (!lines.has(line.ref)) refs.delete(line.ref);
    }
  };
  const start = await parse(jsonld.name, first.body, of);
  await take(of.url, start, first.sentAtMs);
  const sitemaps = start.links.filter((link) => link.startsWith(SITEMAP));
  const pages = new Set(start.links.filter((link) => !link.startsWith(SITEMAP)));
  if (sitemaps.length > MOST_SITEMAPS)
    throw new MalformedAnswer(`lists more than ${MOST_SITEMAPS} sitemaps: add one of them`);
  for (const marked of sitemaps) {
    const address = marked.slice(SITEMAP.length);
    const answer = await client.get(address, { validators: null, paceMs, signal });
    if (answer.outcome !== 'read') return partNotRead(address, answer);
    const { links, lines: none } = await parse(jsonld.name, answer.body, { ...of, url: marked });
    await none.close();
    for (const link of links) if (!link.startsWith(SITEMAP)) pages.add(link);
  }
  const wanted = [...pages].filter((page) => of.match === null || page.includes(of.match));
  if (wanted.length > MOST_PAGES)
    throw new MalformedAnswer(`lists ${wanted.length} pages, more than ${MOST_PAGES}: say which with match`);
  let done = 0;
  for (const page of wanted) {
    const answer = await client.get(page, { validators: null, paceMs, signal });
    onRequest((done += 1), wanted.length);
    // 404 may be temporary.
    isUnsure ||= answer.outcome === 'missing';
    if (answer.outcome === 'missing' || answer.outcome === 'gone') continue;
    // Any other fault fails the reading: no item is written, and nothing is closed.
    if (answer.outcome !== 'read')
      return {
        ...answer,
        outcome: 'failed',
        why: `${page}: ${'why' in answer ? answer.why : answer.outcome}`,
      };
    await take(page, await parse(jsonld.name, answer.body, { ...of, url: page }), answer.sentAtMs);
  }
  if (showing.size === 0 && unreadable > 0)
    throw new MalformedAnswer('shows no posting, and a JobPosting that is no JSON');
  return readingOf(
    { ...first, validators: { etag: null, lastModified: null } },
    {
      lines: onePiece([...refs].map((ref) => lines.get(ref) ?? null)),
      refs: [...refs],
      items: refs.size,
      isPaged: isUnsure,
      known: [...showing],
      movedTo: first.movedTo,
    },
  );
}

/** Marks the link of a sitemap among the links of pages. An answer at such a link is a sitemap and no page. */
const SITEMAP = 'sitemap:';

function parsedSitemap(body: string): Parsed {
  const answer = xmlIn(body);
  const pages = addressesIn(memberAt(answer, 'urlset', 'url'));
  const sitemaps = addressesIn(memberAt(answer, 'sitemapindex', 'sitemap'));
  const isOne = isJsonObject(answer) && ('urlset' in answer || 'sitemapindex' in answer);
  if (!isOne) throw new MalformedAnswer('answered XML that is no sitemap');
  const links = [...pages, ...sitemaps.map((address) => `${SITEMAP}${address}`)];
  return { lines: [], refs: [], items: 0, total: null, links, skipHours: [] };
}

const addressesIn = (entries: JsonValue | undefined): readonly string[] =>
  elementsOf(entries).flatMap((entry) => {
    const address = textAt(entry, 'loc');
    return address !== null && /^https?:\/\//i.test(address) && URL.canParse(address) ? [address] : [];
  });

const SCRIPT = /<script\b[^>]{0,500}\btype\s*=\s*["']?application\/ld\+json\b[^>]{0,500}>/gi;
const MOST_SCRIPTS = 200;

function parsedPage(
  body: string,
  { boardId, url, subjectRef: companyRef, redactsContacts }: ParseOf,
): Parsed {
  if (!/<(?:!doctype|html|head|body|script|div|main)\b/i.test(body))
    throw new MalformedAnswer('answered no HTML');
  const of = { kind: jsonld, boardId, companyRef, redactsContacts };
  const { found: objects, unreadable } = jobPostingsIn(body);
  const postings = objects.flatMap((found) => postingOf(found, url) ?? []);
  const lines = postings.map(({ until, ...posting }) => {
    const line = postingLine(of, posting);
    return line === null ? null : { ...line, valid_through: until };
  });
  const refs = postings.map(({ id }) => itemRef(jsonld.name, boardId, id));
  return { lines, refs, items: postings.length, total: null, links: [], skipHours: [], unreadable };
}

/**
 * JobPosting objects in the JSON-LD of a page, at any depth. A script that is no JSON is left out; it is counted if it
 * names a JobPosting, or if the page ends in it.
 */
function jobPostingsIn(html: string): {
  readonly found: readonly JsonObject[];
  readonly unreadable: number;
} {
  const found: JsonObject[] = [];
  let unreadable = 0;
  let scripts = 0;
  for (const { 0: opening, index } of html.matchAll(SCRIPT)) {
    if ((scripts += 1) > MOST_SCRIPTS) break;
    const start = index + opening.length;
    const end = closingAfter(html, start);
    const text = html
      .slice(start, end)
      .replace(/^\s*(?:<!--|\/\*<!\[CDATA\[\*\/)|(?:-->|\/\*\]\]>\*\/)\s*$/g, '');
    const value = parsedOrUndefined(text);
    collect(value, found, 0);
    if (value === undefined && (end === undefined || text.includes('JobPosting'))) unreadable += 1;
  }
  return { found, unreadable };
}

/**
 * The index at which the script ends; undefined: the page ends in it. It is no index of the page in lower case, where `İ`
 * has two characters.
 */
function closingAfter(html: string, start: number): number | undefined {
  const closing = /<\/script/gi;
  closing.lastIndex = start;
  return closing.exec(html)?.index;
}

function parsedOrUndefined(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    // Pages are written by hand: line breaks inside of texts are a common fault.
    try {
      return JSON.parse(text.replace(/[\u0000-\u001f]+/g, ' '));
    } catch {
      return undefined;
    }
  }
}

const DEEPEST = 6;

function collect(value: JsonValue | undefined, found: JsonObject[], depth: number): void {
  if (depth > DEEPEST || value === undefined) return;
  if (Array.isArray(value)) for (const one of value) collect(one, found, depth + 1);
  if (!isJsonObject(value)) return;
  const types = [value['@type'] ?? null].flat();
  if (types.some((type) => typeof type === 'string' && /(?:^|[/:])JobPosting$/.test(type))) found.push(value);
  else
    for (const name of ['@graph', 'itemListElement', 'item', 'mainEntity'])
      collect(value[name], found, depth + 1);
}
