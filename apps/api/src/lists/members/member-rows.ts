import { isJsonObject, type JsonObject, type JsonValue } from '#kernel/values/json.js';
import { note, type Faults } from '#kernel/values/faults.js';
import { EMPLOYER, noteStrayCompanies, readGivenCompany } from '#lists/domain/lists/given-company.js';
import type { ListType } from '#lists/domain/lists/list.events.js';
import type { MemberRow } from '#lists/domain/lists/member-admission.js';
import type { JsonSchema } from '#http/parameters.js';
import { invalidRequest } from '#http/problem.js';

/** The name under which a body carries its rows: faults are named by it. */
export type RowsField = 'members' | 'entities';

const MAX_IDENTIFIER_LENGTH = 2_048;
const MAX_NAME_LENGTH = 255;

const nullableText = (maxLength: number, description: string): JsonSchema => ({
  type: ['string', 'null'],
  maxLength,
  description,
});

/** One of these fields identifies the member of a row. */
const IDENTIFIERS = ['network_url', 'network_handle', 'domain'] as const;

/** One JSON Schema per name: the member is required and has the schema `value`. */
const oneGiven = (names: readonly string[], value: (name: string) => JsonSchema): readonly JsonSchema[] =>
  names.map((name) => ({ required: [name], properties: { [name]: { type: 'string', ...value(name) } } }));

/** The JSON Schema of a row that `readMemberRows` accepts. */
export const MEMBER_ROW: JsonSchema = {
  title: 'MemberRow',
  type: 'object',
  description: 'One of network_url, network_handle and domain is needed; the first of them is used',
  properties: {
    network_url: nullableText(MAX_IDENTIFIER_LENGTH, 'With or without scheme'),
    network_handle: nullableText(MAX_IDENTIFIER_LENGTH, 'Empty counts as not given'),
    domain: nullableText(MAX_IDENTIFIER_LENGTH, 'Of a company; company lists only'),
    company: {
      type: ['object', 'null'],
      description: 'For whom the person works now, at least one of the two; champion lists only',
      properties: {
        name: nullableText(MAX_NAME_LENGTH, 'Name of the company'),
        domain: nullableText(MAX_NAME_LENGTH, 'Domain of the company'),
      },
      anyOf: oneGiven(EMPLOYER, () => ({ pattern: '\\S' })),
    },
  },
  anyOf: oneGiven(IDENTIFIERS, (name) => (name === 'network_handle' ? { minLength: 1 } : {})),
};

/**
 * The rows of a request to add members. A malformed row, or one without an identifier, refuses the whole request with
 * 422 and the name of the row. A well-formed row that cannot be resolved gets a row error.
 */
export function readMemberRows(inputs: readonly JsonObject[], field: RowsField): readonly MemberRow[] {
  const faults: Faults = new Map();
  const rows = inputs.map((input, index) => readRow(input, `${field}.${index}`, faults));
  if (faults.size > 0) throw invalidRequest('body', 422, faults);
  return rows;
}

/** Only rows of a champion list name an employer. */
export function requireNoCompany(rows: readonly MemberRow[], type: ListType, field: RowsField): void {
  const faults: Faults = new Map();
  noteStrayCompanies(rows, type, field, faults);
  if (faults.size > 0) throw invalidRequest('body', 422, faults);
}

function readRow(input: JsonObject, path: string, faults: Faults): MemberRow {
  const identifier = (name: string): string | null =>
    readText(input, name, `${path}.${name}`, MAX_IDENTIFIER_LENGTH, faults);
  // an empty handle counts as not given (OP-71); an empty URL or domain is an unusable one
  const isGiven = (name: string): boolean => {
    const value = memberOf(input, name);
    return value !== null && !(name === 'network_handle' && value === '');
  };
  if (!IDENTIFIERS.some(isGiven)) note(faults, path, `must have one of ${IDENTIFIERS.join(', ')}`);
  const company = memberOf(input, 'company');
  return {
    input,
    networkUrl: identifier('network_url'),
    networkHandle: identifier('network_handle') || null,
    domain: identifier('domain'),
    company: company === null ? null : readCompany(company, `${path}.company`, faults),
  };
}

function readCompany(value: JsonValue, path: string, faults: Faults): MemberRow['company'] {
  if (!isJsonObject(value)) {
    note(faults, path, 'must be an object');
    return null;
  }
  const text = (member: string): string | null =>
    readText(value, member, `${path}.${member}`, MAX_NAME_LENGTH, faults);
  return readGivenCompany({ name: text('name'), domain: text('domain') }, path, faults);
}

function readText(
  object: JsonObject,
  name: string,
  path: string,
  maximum: number,
  faults: Faults,
): string | null {
  const value = memberOf(object, name);
  if (value === null) return null;
  if (typeof value !== 'string') note(faults, path, 'must be a string');
  else if ([...value].length > maximum) note(faults, path, `must contain at most ${maximum} characters`);
  else return value;
  return null;
}

/** Null also for an absent value. */
function memberOf(object: JsonObject, name: string): JsonValue | null {
  return (Object.hasOwn(object, name) ? object[name] : null) ?? null;
}
