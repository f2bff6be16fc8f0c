import { momentOf } from '#kernel/values/instants.js';
import { parseDomain, parseHandle, parseNetworkUrl } from '#kernel/values/network-identifiers.js';
import type { JsonObject } from '#kernel/values/json.js';

/** How a text of an observation is parsed: the check, its description, and its JSON Schema. */
export type TextRule = {
  readonly accepts: (text: string) => boolean;
  readonly rule: string;
  /** A regular expression that approximates the check; absent: any text. */
  readonly pattern?: string;
};

const UNSTORABLE = /[\u0000\p{Cs}]/u;
const PARTIAL_DATE = /^\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?$/;
const TIMESTAMP = /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2}:\d{2})(?:\.(\d+))?([Zz]|[+-]\d{2}:\d{2})?)?$/;
const MAX_DEPTH = 20;

const isStorable = (text: string): boolean => !UNSTORABLE.test(text);

/** The revision value for the time of the request (SRC-01). */
export const AUTOMATIC = 'auto';

/** The dots are those of IDNA; a path may follow, with spaces too. */
const DOMAIN_START = '\\S+[.\\u3002\\uff0e\\uff61]';

/** Readings of texts, by name. */
export const READINGS = {
  text: { accepts: isStorable, rule: 'must not contain U+0000 or half of a surrogate pair' },
  ref: { accepts: isStorable, rule: 'must not contain U+0000 or half of a surrogate pair' },
  /** An empty text counts as absent. */
  handle: {
    accepts: (text) => text === '' || parseHandle(text) !== null,
    rule: 'must be a handle without spaces',
    pattern: '^\\S*$',
  },
  domain: {
    accepts: (text) => parseDomain(text) !== null,
    rule: 'must be a domain',
    pattern: `^${DOMAIN_START}`,
  },
  /** As above, and an empty text counts as absent. */
  optionalDomain: {
    accepts: (text) => text === '' || parseDomain(text) !== null,
    rule: 'must be a domain',
    pattern: `^($|${DOMAIN_START})`,
  },
  networkPage: {
    accepts: (text) => text === '' || parseNetworkUrl(text) !== null,
    rule: 'must be the URL of a person or company',
    pattern: '^(.*/.*)?$',
  },
  partialDate: {
    accepts: (text) => PARTIAL_DATE.test(text),
    rule: 'must be a date such as 2024, 2024-03 or 2024-03-01',
    pattern: PARTIAL_DATE.source,
  },
  revision: {
    accepts: (text) => text === AUTOMATIC,
    rule: `must be a whole number of at least 1 or "${AUTOMATIC}"`,
    pattern: `^${AUTOMATIC}$`,
  },
  timestamp: {
    accepts: (text) => instantOf(text) !== null,
    rule: 'must be a date-time such as 2026-01-03T09:00:00Z',
    pattern: TIMESTAMP.source,
  },
} as const satisfies { readonly [name: string]: TextRule };
export type ReadingName = keyof typeof READINGS;

const readings = new Map<string, TextRule>(Object.entries(READINGS));

/** The rule of a reading that a schema names. */
export const readingOf = (name: string): TextRule | undefined => readings.get(name);

/** UTC with milliseconds. A time without offset is UTC, a plain date its start (OP-08). Null for any other text. */
export function instantOf(text: string): string | null {
  const [, day, time = '00:00:00', fraction, offset] = TIMESTAMP.exec(text) ?? [];
  if (day === undefined) return null;
  const midnight = new Date(`${day}T00:00:00Z`);
  // Date.parse turns the 30th of February into a day of March.
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return null;
  const written = momentOf(day, time, fraction, offset)?.toISOString() ?? '';
  return /^\d{4}-/.test(written) ? written : null;
}

/** The faults of free JSON that cannot be stored, each with its path. */
export function jsonFaults(value: unknown, path: string, depth = 1): readonly string[] {
  if (depth > MAX_DEPTH) return [`${path} is nested deeper than ${MAX_DEPTH} levels`];
  if (typeof value === 'string') return isStorable(value) ? [] : [`${path} ${READINGS.text.rule}`];
  if (Array.isArray(value))
    return value.flatMap((member, index) => jsonFaults(member, `${path}.${index}`, depth + 1));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    isStorable(name) ? jsonFaults(member, `${path}.${name}`, depth + 1) : [`${path} ${READINGS.text.rule}`],
  );
}

/** Whether free JSON can be stored. */
export function isStorableJson(value: unknown): value is JsonObject {
  return jsonFaults(value, '').length === 0;
}
