import type { JsonValue } from '#kernel/values/json.js';
import type { GuardedDocument, Scalar } from '#kernel/ports/read-store.port.js';
import type { StoredDocument, GenerationCollection } from './catalogue.js';

/** The maximum size of a document, minus space for guard, key and indexed fields. */
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;
const ROOM_BYTES = 64 * 1024;

/** A document in its stored form. Throws for a value that could not be stored or found again. */
export function storedDocument(
  table: GenerationCollection,
  { key, position, document }: GuardedDocument,
): StoredDocument {
  const { name } = table.view;
  if (key === '') throw new Error(`a document of ${name} has an empty key`);
  if (document === null) return { _id: key, _position: position, _alive: false };
  const indexed = Object.fromEntries(
    [...table.fields]
      .map((field) => [field, indexedValue(table, key, field, document)] as const)
      .filter(([field, value]) => value !== null || !table.absentFields.has(field)),
  );
  const json = JSON.stringify(document);
  const indexedBytes = Object.values(indexed).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? Buffer.byteLength(value) : 8),
    0,
  );
  if (Buffer.byteLength(json) + indexedBytes + ROOM_BYTES > MAX_DOCUMENT_BYTES) {
    throw new Error(`${name} ${key} is over the 16 MB that a document may have`);
  }
  return { _id: key, _position: position, _alive: true, ...indexed, _json: json };
}

function indexedValue(table: GenerationCollection, key: string, field: string, document: JsonValue): Scalar {
  if (typeof document !== 'object' || document === null || !Object.hasOwn(document, field)) return null;
  const value = (document as { readonly [name: string]: JsonValue | undefined })[field];
  if (typeof value === 'object' && value !== null) {
    throw new Error(`${field} of ${table.view.name} ${key} is indexed but holds no scalar`);
  }
  return comparable(value ?? null);
}

/** A value in the form in which the server compares it: one zero, and no NaN. */
export function comparable(value: Scalar): Scalar {
  if (typeof value !== 'number') return value;
  if (!Number.isFinite(value)) throw new Error(`${value} cannot be stored or compared`);
  return value === 0 ? 0 : value;
}
