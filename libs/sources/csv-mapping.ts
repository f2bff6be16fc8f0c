import { isJsonObject, type JsonObject, type JsonValue } from '#kernel/values/json.js';
import { nearestName } from '#kernel/values/known-names.js';

/** The kind of the rows of a file, and the meaning of its columns. */
export type CsvMapping = {
  readonly kind: CsvKind;
  /** The column with the permanent id of a row: the record id. */
  readonly id: string;
  /** Columns by their meaning. */
  readonly columns: ReadonlyMap<string, string>;
  readonly delimiter: string;
  readonly encoding: string;
};

export type CsvKind = 'company' | 'person' | 'post';

/** The parts of a place. */
export const PLACE = ['city', 'region', 'country', 'country_code'];
/** The members of a person that are the text of their cell. */
export const PERSON_TEXTS = [
  'handle',
  'first_name',
  'last_name',
  'headline',
  'about',
  'avatar_url',
  'email',
  'phone',
];
/** The possible meanings of columns, by the kind of the rows. */
const CSV_MEMBERS: Readonly<Record<CsvKind, readonly string[]>> = {
  company: [
    'handle',
    'domain',
    'name',
    'industry',
    'employees',
    'employee_range',
    'founded_year',
    'tagline',
    'activity_summary',
    'logo_url',
    ...PLACE,
  ],
  person: [
    ...PERSON_TEXTS,
    ...PLACE,
    'title',
    'company_name',
    'company_domain',
    'department',
    'seniority',
    'start_date',
    'observed_at',
  ],
  post: ['author_handle', 'author_domain', 'url', 'text', 'published_at'],
};

/** At least one member of each list must be mapped. */
const NEEDED: Readonly<Record<CsvKind, readonly (readonly string[])[]>> = {
  company: [['handle', 'domain']],
  person: [['handle', 'first_name', 'last_name']],
  post: [['text'], ['author_handle', 'author_domain']],
};

const MEMBERS = ['kind', 'id', 'columns', 'delimiter', 'encoding'];
const KINDS: readonly CsvKind[] = ['company', 'person', 'post'];

/** An invalid mapping; the message names the fault. */
export class WrongMapping extends Error {}

/** Parses a mapping of an operator. Throws `WrongMapping`. */
export function csvMapping(given: JsonObject): CsvMapping {
  for (const name of Object.keys(given))
    if (!MEMBERS.includes(name)) throw wrong(`has no member ${name}${meant(name, MEMBERS)}`);
  const { id, columns: named, delimiter = ',', encoding = 'utf-8' } = given;
  const kind = KINDS.find((one) => one === given['kind']);
  if (kind === undefined) throw wrong(`must have a kind, one of ${KINDS.join(', ')}`);
  if (!isColumn(id)) throw wrong('must have an id: the name of the column with the permanent id of a row');
  if (!isJsonObject(named))
    throw wrong('must have columns: an object of members and the columns they are in');
  const columns = new Map(Object.entries(named).map((entry) => columnOf(kind, entry)));
  for (const needed of NEEDED[kind])
    if (!needed.some((member) => columns.has(member)))
      throw wrong(`must have a column for ${needed.join(' or ')} of a ${kind}`);
  if (typeof delimiter !== 'string' || !/^[^"\r\n]$/u.test(delimiter))
    throw wrong('must have one character as delimiter');
  if (typeof encoding !== 'string' || !isEncoding(encoding)) throw wrong('has an encoding that is not known');
  return { kind, id, columns, delimiter, encoding };
}

function columnOf(kind: CsvKind, [member, column]: [string, JsonValue | undefined]): [string, string] {
  const members = CSV_MEMBERS[kind];
  if (!members.includes(member))
    throw wrong(`has ${member}, which a ${kind} does not have${meant(member, members)}`);
  if (!isColumn(column)) throw wrong(`must name the column of ${member}`);
  return [member, column];
}

const isColumn = (name: JsonValue | undefined): name is string =>
  typeof name === 'string' && name.trim() !== '' && name.length <= 500;

function isEncoding(name: string): boolean {
  try {
    return new TextDecoder(name).encoding !== '';
  } catch {
    return false;
  }
}

function meant(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  return nearest === null ? '' : ` (${nearest}?)`;
}

const wrong = (message: string): WrongMapping => new WrongMapping(message);
