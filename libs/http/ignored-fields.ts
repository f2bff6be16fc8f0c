import { shapeOf, toDocumentedSchema } from './body-shape.js';
import { bodyClass } from './compiled-endpoint.js';
import type { DeclaredEndpoint } from './endpoint.js';
import { isObject, type JsonObject } from '#kernel/values/json.js';
import { namesIn, nearestName, unknownNames } from '#kernel/values/known-names.js';
import type { InvalidStatus, JsonSchema, RawQuery } from './parameters.js';
import { invalidRequest, type RequestRefused } from './problem.js';

/** The sent fields that an endpoint ignores. */
export type IgnoredFields = {
  /** The header that names them; null if there are none. */
  readonly header: string | null;
  /** The refusal of unknown fields, for a caller that requested strict handling; null if there are none. */
  readonly refusal: () => RequestRefused | null;
};

/** Finds what an endpoint ignores of a query string and a parsed JSON body. */
export type IgnoredFieldsReader = (query: RawQuery, body: unknown) => IgnoredFields;

const NOTHING: IgnoredFields = { header: null, refusal: () => null };
const MOST_NAMES = 20;
const MOST_BYTES = 1_024;
/** The maximum number of fields in a refusal. */
const MOST_FAULTS = 100;
const NO_FIELDS: JsonSchema = { type: 'object', properties: {} };

/** Derived from the declaration alone, like the documentation. */
export function ignoredFieldsReader(declared: DeclaredEndpoint): IgnoredFieldsReader {
  const parameters = new Set(
    Object.entries(declared.query ?? {}).flatMap(([key, parameter]) =>
      parameter.document(key).map(({ name }) => name),
    ),
  );
  const schema = bodySchema(declared);
  const findUnknown = schema === null ? null : unknownNames(schema);
  const fields = schema === null ? new Set<string>() : namesIn(schema);
  const withoutEffect = new Set(declared.withoutEffect);
  const sentBack = new Set([...answeredNames(declared), ...withoutEffect]);
  const statuses = unknownStatuses(declared);

  return (query, body) => {
    const ofQuery: string[] = [];
    for (const name in query) if (!parameters.has(name)) ofQuery.push(name);
    const ofBody: string[] = [];
    let count = ofQuery.length;
    findUnknown?.(body, (path) => {
      count += 1;
      if (ofBody.length < MOST_FAULTS) ofBody.push(path);
    });
    const dropped = isJsonBody(body) ? (declared.dropped?.(body) ?? []) : [];
    count += dropped.length;
    if (count === 0) return NOTHING;
    const refuse = (
      place: 'query' | 'body',
      status: InvalidStatus,
      names: readonly string[],
      known: ReadonlySet<string>,
      harmless: ReadonlySet<string>,
    ): RequestRefused | null => {
      const unknown = names.filter((name) => !isAmong(name, harmless));
      if (unknown.length === 0) return null;
      const faults = unknown.map((name) => [name, [messageOf(nearestName(name, known))]] as const);
      return invalidRequest(place, status, new Map(faults));
    };
    return {
      header: headerOf([...new Set([...ofQuery, ...ofBody, ...dropped])], count),
      refusal: () =>
        refuse('query', statuses.query, ofQuery, parameters, withoutEffect) ??
        refuse('body', statuses.body, ofBody, fields, sentBack),
    };
  };
}

/** The statuses for a refused unknown name: those of an invalid value in the same part of the request. */
export function unknownStatuses({ query = {}, body, invalidBody = 422 }: DeclaredEndpoint): {
  readonly query: InvalidStatus;
  readonly body: InvalidStatus;
} {
  return { query: Object.values(query)[0]?.invalid ?? 400, body: body === undefined ? 400 : invalidBody };
}

/** The parsed value of a JSON text; an array has no fields. */
const isJsonBody = (body: unknown): body is JsonObject =>
  typeof body === 'object' && body !== null && !Array.isArray(body);

const messageOf = (nearest: string | null): string =>
  nearest === null ? 'is not known here' : `is not known here; ${nearest} is`;

/** null: the handler reads every field. */
function bodySchema(declared: DeclaredEndpoint): JsonSchema | null {
  const { body } = declared;
  if (body === undefined) return NO_FIELDS;
  if (typeof body === 'object' && body.describedBy === null) return null;
  return toDocumentedSchema(shapeOf(bodyClass(declared)));
}

/** The fields of the endpoint's answer: a caller that sends back an answer sends them along. */
function answeredNames({ response }: DeclaredEndpoint): ReadonlySet<string> {
  if (response === undefined) return new Set();
  const data: unknown = response['properties']?.['data'];
  return namesIn(isObject(data) ? data : response);
}

/** Whether a path is one of these, either completely or, within an array entry, from that entry on. */
function isAmong(path: string, names: ReadonlySet<string>): boolean {
  const segments = path.split('.');
  const isIndex = (segment: string): boolean => /^\d+$/.test(segment);
  const first = segments.findIndex(isIndex);
  const named = (from: number): string =>
    segments
      .slice(from)
      .filter((segment) => !isIndex(segment))
      .join('.');
  return names.has(named(0)) || (first >= 0 && names.has(named(first + 1)));
}

/** The names as a list, percent-encoded, as many as fit; `more;n=3` counts the others. */
function headerOf(names: readonly string[], count: number): string {
  const shown: string[] = [];
  let bytes = `, more;n=${count}`.length;
  for (const name of names.slice(0, MOST_NAMES)) {
    const encoded = encoded7Bit(name);
    bytes += encoded.length + ', '.length;
    if (bytes > MOST_BYTES) break;
    shown.push(encoded);
  }
  const rest = count - shown.length;
  return [...shown, ...(rest === 0 ? [] : [`more;n=${rest}`])].join(', ');
}

const PLAIN = /^[A-Za-z0-9._-]$/;

function encoded7Bit(text: string): string {
  if (text.length > MOST_BYTES) return text.slice(0, MOST_BYTES + 1);
  return Array.from(Buffer.from(text), (byte) => {
    const character = String.fromCharCode(byte);
    return PLAIN.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}
