import { basename, resolve } from 'node:path';
import { isJsonObject, type JsonObject, type JsonValue } from '#kernel/values/json.js';
import { jsonFile } from '#ops/support/json-file.js';
import { parseDomain, parseHandle } from '#kernel/values/network-identifiers.js';
import { fieldError, refusal } from '#kernel/values/refusal.js';
import { JsonMembers, Type, type Static } from '#kernel/values/schema.js';
import { invalidInput } from '#ops/support/amounts.js';
import { described, visibleText } from '#ops/support/inputs.js';
import type { SourceEvents } from '../domain/source.events.js';
import { csvMapping, WrongMapping } from '../csv-mapping.js';
import { editionOf } from '../csv-rows.js';
import { csv } from '../kinds/csv.js';
import { recordedTerms } from '../recorded-terms.js';
import type { SourceKind } from '../source-kind.js';
import { kindAt, kindOf, sourceKinds } from '../source-kinds.js';

const LONGEST_ADDRESS = 2_000;
const text = (description: string, maxLength = 200) =>
  Type.Optional(described(description, visibleText(maxLength)));

/** The input that names a source: its address, its kind if the address does not determine it, and its subject. */
export const sourceInput = {
  url: described(
    'address of the board, feed or page, as in a browser; for csv the path of the file',
    visibleText(LONGEST_ADDRESS),
  ),
  kind: Type.Optional(
    described(
      'kind of the source; default: derived from the address',
      Type.String({ enum: sourceKinds.map(({ name }) => name) }),
    ),
  ),
  domain: text('domain of the company that the source belongs to', 253),
  handle: text('handle of the company, instead of its domain'),
  person: text('handle of the person whose posts the feed contains, instead of a company'),
  name: text('name for operators; default: kind and board'),
  base_url: text("address of a mirror that is read instead of the provider's API", LONGEST_ADDRESS),
  match: text('only addresses of the sitemap that contain this text are read'),
  mapping: Type.Optional(
    described(
      'for csv: the meaning of its columns, as JSON or as the path of a JSON file',
      Type.Union([Type.String({ minLength: 1, maxLength: LONGEST_ADDRESS }), JsonMembers]),
    ),
  ),
  shared: Type.Optional(
    described('for csv: all workspaces may see the observations of the file', Type.Boolean()),
  ),
  keep_contacts: Type.Optional(
    described('whether mail addresses and telephone numbers stay in the texts', Type.Boolean()),
  ),
};
const Input = Type.Object(sourceInput);

/** A source that can be added. */
export type NewSource = Omit<SourceEvents['SourceAdded'], 'sourceId' | 'addedAt'>;

const unknownAddress = refusal({
  code: 'unknown-source-address',
  kind: 'unprocessable',
  detail: 'The address belongs to no known kind of source.',
});

/** Reads the input that names a source, without look-ups. Throws `invalidInput` or `unknownAddress`. */
export async function newSource(input: Static<typeof Input>): Promise<{
  readonly kind: SourceKind;
  readonly source: NewSource;
}> {
  const isFile = input.kind === undefined ? isFilePath(input.url) : input.kind === csv.name;
  return isFile ? newFile(input) : newAddress(input);
}

function newAddress(input: Static<typeof Input>): { readonly kind: SourceKind; readonly source: NewSource } {
  const { kind, boardId, url, baseUrl } = placeOf(input);
  const subject = subjectOf(input, kind);
  if (input.base_url !== undefined && kind.isReadAtUrl)
    throw wrong('base_url', 'is not of feeds and pages: they are read at their own address');
  if (input.match !== undefined && kind.name !== 'jsonld') throw wrong('match', 'is of jsonld');
  for (const name of ['mapping', 'shared'] as const)
    if (input[name] !== undefined) throw wrong(name, `is of ${csv.name}`);
  return {
    kind,
    source: {
      kind: kind.name,
      boardId,
      name: input.name ?? `${kind.name} ${subject?.value ?? boardId}`,
      url,
      subject,
      redactsContacts: input.keep_contacts !== true,
      isShared: false,
      baseUrl,
      match: input.match ?? null,
      mapping: null,
      terms: recordedTerms(kind.terms),
    },
  };
}

/**
 * Rows of a file name their own subjects. The path at the time of adding identifies the file permanently (SRC-03).
 */
async function newFile(
  input: Static<typeof Input>,
): Promise<{ readonly kind: SourceKind; readonly source: NewSource }> {
  for (const name of ['domain', 'handle', 'person', 'base_url', 'match'] as const)
    if (input[name] !== undefined) throw wrong(name, `is not of ${csv.name}: its rows say whose they are`);
  const path = resolve(input.url);
  if ((await editionOf(path)) === null) throw wrong('url', `there is no file at ${path}`);
  const mapping = await mappingOf(input.mapping);
  return {
    kind: csv,
    source: {
      kind: csv.name,
      boardId: path,
      name: input.name ?? `${csv.name} ${basename(path)}`,
      url: path,
      subject: null,
      redactsContacts: input.keep_contacts !== true,
      isShared: input.shared === true,
      baseUrl: null,
      match: null,
      mapping,
      terms: recordedTerms(csv.terms),
    },
  };
}

/** A path is no http address and has the extension of a CSV or TSV file. */
const isFilePath = (url: string): boolean => !/^https?:/i.test(url) && /\.(?:csv|tsv)$/i.test(url);

async function mappingOf(given: Static<typeof Input>['mapping']): Promise<JsonObject> {
  if (given === undefined)
    throw wrong('mapping', `is required: it says what the columns of a ${csv.name} are`);
  const mapping = typeof given === 'string' ? await mappingIn(given) : given;
  if (!isJsonObject(mapping)) throw wrong('mapping', 'must be an object');
  try {
    csvMapping(mapping);
  } catch (error) {
    throw error instanceof WrongMapping ? wrong('mapping', error.message) : error;
  }
  return mapping;
}

/** A text that begins as an object is JSON, any other text is a path. */
async function mappingIn(given: string): Promise<JsonValue> {
  if (!given.trimStart().startsWith('{')) return jsonFile('mapping', given);
  try {
    return JSON.parse(given);
  } catch {
    throw wrong('mapping', 'is not JSON');
  }
}

const wrong = (field: string, message: string) => invalidInput({ errors: fieldError(field, message) });

type Place = {
  readonly kind: SourceKind;
  readonly boardId: string;
  readonly url: string;
  readonly baseUrl: string | null;
};

function placeOf(input: Static<typeof Input>): Place {
  const address = addressIn('url', input.url);
  const base = input.base_url === undefined ? null : addressIn('base_url', input.base_url);
  const found = input.kind ? namedKind(input.kind, address) : kindAt(address);
  if (found === null) {
    const kinds = sourceKinds.map(({ name }) => name).join(', ');
    throw unknownAddress({
      detail: `The address does not identify a kind of source: name it with kind, one of ${kinds}.`,
    });
  }
  // A host without encryption belongs to no provider: it is read at the given address.
  const isOwn =
    !found.kind.isReadAtUrl && found.kind.boardAt(address) === null && address.protocol === 'http:';
  const baseUrl = base?.href ?? (isOwn ? address.origin : null);
  return { ...found, url: address.href, baseUrl };
}

function namedKind(
  name: string,
  address: URL,
): { readonly kind: SourceKind; readonly boardId: string } | null {
  const kind = kindOf(name);
  const boardId = kind?.boardNamed(address) ?? null;
  if (kind !== null && boardId === null) throw wrong('url', `is not an address of ${name}`);
  return kind === null || boardId === null ? null : { kind, boardId };
}

function addressIn(field: string, given: string): URL {
  const text = /^[a-z][a-z0-9+.-]*:/i.test(given) ? given : `https://${given}`;
  const address = URL.canParse(text) ? new URL(text) : null;
  if (address === null || !/^https?:$/.test(address.protocol) || address.username + address.password !== '')
    throw wrong(field, 'must be an http or https address without user and password');
  address.hash = '';
  return address;
}

function subjectOf(input: Static<typeof Input>, { name, gives }: SourceKind): NewSource['subject'] {
  const { domain, handle, person } = input;
  const given = [domain, handle, person].filter((one) => one !== undefined);
  if (given.length !== 1)
    throw wrong('domain', 'must name the owner of the source: one of domain, handle and person');
  if (person !== undefined) {
    if (gives !== 'posts') throw wrong('person', `${name} belongs to a company`);
    return { entity: 'person', by: 'handle', value: handleIn('person', person) };
  }
  if (handle !== undefined) return { entity: 'company', by: 'handle', value: handleIn('handle', handle) };
  const parsed = parseDomain(domain ?? '');
  if (parsed === null) throw wrong('domain', 'is no domain');
  return { entity: 'company', by: 'domain', value: parsed.domain };
}

function handleIn(field: string, given: string): string {
  const parsed = parseHandle(given);
  if (parsed === null) throw wrong(field, 'is no handle');
  return parsed.handle;
}
