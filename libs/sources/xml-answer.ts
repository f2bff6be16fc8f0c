import { XMLParser } from 'fast-xml-parser';
import type { JsonValue } from '#kernel/values/json.js';
import { MalformedAnswer } from './answer-fields.js';

/** Deeper is no list of postings. */
const MAX_DEPTH = 60;
const OPENING = /<!doctype\b|<!entity\b/i;

const parser = new XMLParser({
  ignoreAttributes: true,
  parseTagValue: false,
  trimValues: true,
  processEntities: true,
  // Characters by number, which XML has without a declaration; others of HTML stay.
  htmlEntities: true,
  maxNestedTags: MAX_DEPTH,
});

/** XML as JSON: a name that stands several times has a list. No entities of a document's own. Throws `MalformedAnswer`. */
export function xmlIn(body: string): JsonValue {
  if (OPENING.test(body) && OPENING.test(withoutCdata(body)))
    throw new MalformedAnswer('answered XML with a DOCTYPE or HTML');
  try {
    return parser.parse(body, true);
  } catch {
    throw new MalformedAnswer('answered no XML');
  }
}

/** The elements of a name, which are a list only where there are several. */
export function elementsOf(member: JsonValue | undefined): readonly JsonValue[] {
  if (member === undefined || member === '') return [];
  return Array.isArray(member) ? member : [member];
}

/** The markup alone: any text may stand in CDATA, also one that looks like markup. In a time that grows with the length. */
function withoutCdata(body: string): string {
  let markup = '';
  for (let from = 0; ;) {
    const begin = body.indexOf('<![CDATA[', from);
    const end = begin < 0 ? -1 : body.indexOf(']]>', begin);
    if (end < 0) return markup + body.slice(from);
    markup += body.slice(from, begin);
    from = end + 3;
  }
}
