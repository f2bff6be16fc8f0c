import { XMLParser } from 'fast-xml-parser';
import type { JsonValue } from '#kernel/values/json.js';
import { MalformedAnswer } from './answer-fields.js';

/** No list of postings is deeper. */
const MAX_DEPTH = 60;
const OPENING = /<!doctype\b|<!entity\b/i;

const parser = new XMLParser({
  ignoreAttributes: true,
  parseTagValue: false,
  trimValues: true,
  processEntities: true,
  // Decodes numeric character references, which XML allows without a declaration; HTML names are left as they are.
  htmlEntities: true,
  maxNestedTags: MAX_DEPTH,
});

/** XML as JSON: repeated elements become a list. Custom entities are refused. Throws `MalformedAnswer`. */
export function xmlIn(body: string): JsonValue {
  if (OPENING.test(body) && OPENING.test(withoutCdata(body)))
    throw new MalformedAnswer('answered XML with a DOCTYPE or HTML');
  try {
    return parser.parse(body, true);
  } catch {
    throw new MalformedAnswer('answered no XML');
  }
}

/** The elements of a name, which are a list only if there are several. */
export function elementsOf(member: JsonValue | undefined): readonly JsonValue[] {
  if (member === undefined || member === '') return [];
  return Array.isArray(member) ? member : [member];
}

/** The markup without CDATA, which may contain any text, even markup. In linear time. */
export function withoutCdata(body: string): string {
  let markup = '';
  for (let from = 0; ;) {
    const begin = body.indexOf('<![CDATA[', from);
    const end = begin < 0 ? -1 : body.indexOf(']]>', begin);
    if (end < 0) return markup + body.slice(from);
    markup += body.slice(from, begin);
    from = end + 3;
  }
}
