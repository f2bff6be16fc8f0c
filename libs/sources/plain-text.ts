import { compile, type HtmlToTextOptions } from 'html-to-text';

/** What nests deeper is left out: no page that a person reads does. */
const MAX_DEPTH = 200;
/** Of HTML; what is stored of a text is cut to 64 KiB. */
const MAX_CHARACTERS = 512 * 1024;
/** Reading more takes a time that grows with their square. No posting has a tenth of them. */
const MAX_TAGS = 5_000;

const heading = { selector: 'h1,h2,h3,h4,h5,h6', options: { uppercase: false } };
const CELL = { leadingLineBreaks: 1, trailingLineBreaks: 1 };
const OPTIONS: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxDepth: MAX_DEPTH, ellipsis: '' },
  // Not the zero-width space: it parts no words.
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
/** Of no width, or a space of another kind: keywords do not match across them. */
const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;
const OTHER_SPACES = /[\u00a0\u2000-\u200a\u202f\u205f]/g;

/**
 * The text that a person reads in HTML: without markup, scripts, pictures and targets of links. Where the HTML itself
 * is written in entities, as inside some JSON, it is unwrapped first. Null where nothing is left.
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

/** A tag of HTML that titles are seen with, or a character by its name or number. */
const MARKED =
  /<\/?(?:a|b|br|em|i|p|span|strong|u)\b[^>]{0,200}>|&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});/i;

/** A title or name as a person reads it, where it may be HTML or plain text. Null where nothing is left. */
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

/** One layer of entities, of those that markup is made of; the others stay for the HTML itself. */
function unwrapped(html: string): string {
  return html.replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => UNWRAPPED.get(entity) ?? entity);
}
