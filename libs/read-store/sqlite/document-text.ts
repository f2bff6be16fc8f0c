import { isJsonObject, type JsonValue } from '#kernel/values/json.js';
import { instantColumn, isInstant, textOfInstant } from './instants.js';
import { abbreviated, inFull } from './member-names.js';
import type { SqlValue } from './query-sql.js';
import type { Table } from './tables.js';

/** No field of a document is called so: in the text it lists the indexed fields that the document does not have. */
const ABSENT = '';

/** The columns that a statement selects to read documents. The text comes first. */
export function documentColumns({ view, fields }: Table): readonly string[] {
  return view.compact === true ? ['_document', ...fields.map((field) => `"${field}"`)] : ['_document'];
}

/** The text of a document; of a compact view without the values of its columns. */
export function documentText({ view, fields, instants }: Table, document: JsonValue): string {
  if (view.compact !== true || !isJsonObject(document)) return JSON.stringify(document);
  const kept: Record<string, JsonValue | undefined> = { ...document };
  const absent: string[] = [];
  for (const field of fields) {
    const value = kept[field];
    if (value === undefined) absent.push(field);
    else if (instants.has(field) ? isRestored(value) : isSameInColumn(value)) kept[field] = undefined;
  }
  if (absent.length > 0) kept[ABSENT] = absent;
  return abbreviated(kept);
}

const CHANGED_IN_COLUMN = /[\p{Surrogate}\0]/u;

/** A column gives truth values back as numbers, and text only if it is well-formed and without NUL. */
function isSameInColumn(value: JsonValue): boolean {
  if (typeof value === 'string') return !CHANGED_IN_COLUMN.test(value);
  return value === null || typeof value === 'number';
}

/** Of a field of instants: any other text than an instant stays in the text of the document. */
function isRestored(value: JsonValue): boolean {
  return value === null || (typeof value === 'string' && isInstant(instantColumn(value)));
}

/**
 * The document of a row, as it was written. The values of `documentColumns` begin at this place of the row: rows are read
 * as arrays, because an object with a value of each column takes twice as long to make.
 */
export function documentOfRow<Document>(
  { view, fields, instants }: Table,
  row: readonly SqlValue[],
  at = 0,
): Document {
  const text = row[at] as string;
  if (view.compact !== true) return JSON.parse(text);
  const document = JSON.parse(inFull(text));
  if (!isJsonObject(document)) return document;
  const kept = document as Record<string, JsonValue | undefined>;
  const absent = kept[ABSENT];
  if (absent !== undefined) delete kept[ABSENT];
  let value = at;
  for (const field of fields) {
    value += 1;
    if (field in kept || (Array.isArray(absent) && absent.includes(field))) continue;
    const column = row[value];
    kept[field] = typeof column === 'number' && instants.has(field) ? textOfInstant(column) : column;
  }
  return kept as Document;
}
