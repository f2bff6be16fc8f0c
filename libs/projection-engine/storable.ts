import type { ViewShape } from '#kernel/ports/read-store.port.js';

/**
 * Throws if no store can store the result of a fold (not JSON, or no scalar in an indexed field). The workspace is then
 * parked, and the slice of all workspaces can still be written. Unchanged members of `before` were checked earlier: most
 * events change few members.
 */
export function requireStorable(view: ViewShape, document: unknown, before: unknown): void {
  if (document === null) return;
  if (!isJsonSince(document, before))
    throw new Error(`a fold of ${view.name} gave something that is not JSON`);
  if (!hasMembers(document)) return;
  for (const field of indexedFieldsOf(view)) {
    const value = document[field];
    if (typeof value === 'object' && value !== null)
      throw new Error(`${field} of ${view.name} is indexed but holds no scalar`);
  }
}

type Members = { readonly [name: string]: unknown };

const hasMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null;

const indexedFields = new WeakMap<ViewShape, readonly string[]>();

/** Each field once: indexes share most of their fields, and this runs for every document. */
function indexedFieldsOf(view: ViewShape): readonly string[] {
  const known = indexedFields.get(view);
  if (known !== undefined) return known;
  const fields = [...new Set(Object.values(view.indexes).flat())];
  indexedFields.set(view, fields);
  return fields;
}

function isJsonSince(document: unknown, before: unknown): boolean {
  if (!hasMembers(document) || Array.isArray(document) || !hasMembers(before)) return isJson(document);
  for (const name in document) {
    const member = document[name];
    if (member !== undefined && member !== before[name] && !isJson(member)) return false;
  }
  return true;
}

function isJson(value: unknown): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isJson);
  if (!hasMembers(value)) return false;
  for (const name in value) {
    const member = value[name];
    if (member !== undefined && !isJson(member)) return false;
  }
  return true;
}
