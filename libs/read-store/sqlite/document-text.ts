import { isJsonObject, type JsonValue } from '#kernel/values/json.js';
import { abbreviated, inFull } from './member-names.js';
import type { SqlValue } from './query-sql.js';
import type { Table } from './tables.js';

/** The columns of a document, as `documentColumns` selects them. */
export type DocumentColumns = { readonly _document: string } & { readonly [column: string]: SqlValue };

/** No field of a document is called so: in the text it lists the indexed fields that the document does not have. */
const ABSENT = '';

/** The columns that a statement selects to read documents. */
export function documentColumns({ view, fields }: Table): readonly string[] {
  return view.compact === true ? ['_document', ...fields.map((field) => `"${field}"`)] : ['_document'];
}

/** The text of a document; of a compact view without the values of its columns. */
export function documentText({ view, fields }: Table, document: JsonValue): string {
  if (view.compact !== true || !isJsonObject(document)) return JSON.stringify(document);
  const kept: Record<string, JsonValue | undefined> = { ...document };
  const absent: string[] = [];
  for (const field of fields) {
    const value = kept[field];
    if (value === undefined) absent.push(field);
    else if (isSameInColumn(value)) kept[field] = undefined;
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

/** The document of a row, as it was written. */
export function documentOfRow<Document>({ view, fields }: Table, row: DocumentColumns): Document {
  if (view.compact !== true) return JSON.parse(row._document);
  const document = JSON.parse(inFull(row._document));
  if (!isJsonObject(document)) return document;
  const { [ABSENT]: absent = [], ...kept } = document as Record<string, JsonValue | undefined>;
  const isAbsent = (field: string): boolean => Array.isArray(absent) && absent.includes(field);
  for (const field of fields) if (!(field in kept) && !isAbsent(field)) kept[field] = row[field];
  return kept as Document;
}
