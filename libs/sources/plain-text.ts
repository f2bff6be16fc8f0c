import { compile, type HtmlToTextOptions } from 'html-to-text';

/** Deeper elements are left out: no readable page has them. */
const MAX_DEPTH = 200;
/** The maximum length of HTML; a stored text is cut to 64 KiB. */
const MAX_CHARACTERS = 512 * 1024;
/** The time grows with the square of the number of tags. No posting has a tenth of these. */
const MAX_TAGS = 5_000;

const heading = { selector: 'h1,h2,h3,h4,h5,h6', options: { uppercase: false } };
const CELL = { leadingLineBreaks: 1, trailingLineBreaks: 1 };
const OPTIONS: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxDepth: MAX_DEPTH, ellipsis: '' },
  // Without the zero-width space, which separates no words.
  whitespaceCharacters: ' \t\r\n\f',
  selectors: [
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'img', format: 'skip' },
    { selector: 'svg', format: 'skip' },
    { selector: 'ul', options: { itemPrefix: '- ' } },
    { selector: 'td', format: 'block', options: CELL },
    { selector: 'th', format: 'block', options: CELL },
    ...heading.selector.split(',').map((selector) => ({ selector, options: heading.options })),
  ],
};
const convert = compile(OPTIONS);

const ENCODED_TAG = /&lt;\/?[a-z][a-z0-9]*(\s|\/?&gt;|&gt;)/i;
const BLANK_LINES = /\n{3,}/g;
/** Zero-width characters: keywords do not match across them. */
const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;
const OTHER_SPACES = /[\u00a0\u2000-\u200a\u202f\u205f]/g;

/**
 * The visible text of HTML: without markup, scripts, pictures and link targets. HTML that is escaped in entities, as
 * inside some JSON, is unescaped first. Null if nothing is left.
 */
export function plainText(html: string): string | null {
  const whole = html.slice(0, MAX_CHARACTERS);
  const markup = firstTags(ENCODED_TAG.test(whole) ? unwrapped(whole) : whole);
  const text = convert(markup)
    .replace(OTHER_SPACES, ' ')
    .replace(INVISIBLE, '')
    .replace(BLANK_LINES, '\n\n')
    .trim();
  return text === '' ? null : text;
}

/** An HTML tag that occurs in titles, or a character reference. */
const MARKED =
  /<\/?(?:a|b|br|em|i|p|span|strong|u)\b[^>]{0,200}>|&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});/i;

/** The visible text of a title or name, which may be HTML or plain text. Null if nothing is left. */
export function plainName(written: string): string | null {
  return MARKED.test(written) ? plainText(written) : written;
}

function firstTags(markup: string): string {
  let end = -1;
  for (let tags = 0; tags <= MAX_TAGS; tags += 1) {
    end = markup.indexOf('<', end + 1);
    if (end === -1) return markup;
  }
  return markup.slice(0, end);
}

const UNWRAPPED: ReadonlyMap<string, string> = new Map([
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#39;', "'"],
  ['&amp;', '&'],
]);

/** Unescapes one layer of the entities that markup consists of; the others belong to the HTML itself. */
function unwrapped(html: string): string {
  return html.replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => UNWRAPPED.get(entity) ?? entity);
}
