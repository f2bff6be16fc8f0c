import { isSchema } from './openapi-schemas.js';
import type { JsonSchema } from './parameters.js';

/** What of a value its schema does not know: told the path of each, in the dotted form of `errors`. */
export type TellUnknown = (path: string) => void;

/** The object schemas among the forms that a value may take. */
function formsOf(schema: JsonSchema): readonly JsonSchema[] {
  const further = ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => {
    const forms = schema[keyword];
    return Array.isArray(forms) ? forms.filter(isSchema).flatMap(formsOf) : [];
  });
  return [schema, ...further];
}

/** Whether an object may have members that its schema does not name. */
const isOpen = (forms: readonly JsonSchema[]): boolean =>
  forms.some(({ additionalProperties: others }) => others === true || isSchema(others));

function propertiesOf(forms: readonly JsonSchema[]): ReadonlyMap<string, readonly JsonSchema[]> | null {
  const found = new Map<string, readonly JsonSchema[]>();
  let isDeclared = false;
  for (const { properties } of forms) {
    if (!isSchema(properties)) continue;
    isDeclared = true;
    for (const [name, each] of Object.entries(properties)) {
      if (isSchema(each)) found.set(name, [...(found.get(name) ?? []), ...formsOf(each)]);
    }
  }
  return isDeclared ? found : null;
}

const itemsOf = (forms: readonly JsonSchema[]): readonly JsonSchema[] =>
  forms.flatMap(({ items }) => (isSchema(items) ? formsOf(items) : []));

/** Walks a value beside its schema. An object whose schema names no member, or takes others, has none that is unknown. */
export function unknownNames(schema: JsonSchema): (value: unknown, tell: TellUnknown) => void {
  const top = formsOf(schema);
  return (value, tell) => walk(top, value, '', tell);
}

function walk(forms: readonly JsonSchema[], value: unknown, path: string, tell: TellUnknown): void {
  if (Array.isArray(value)) {
    const items = itemsOf(forms);
    if (items.length === 0) return;
    value.forEach((entry: unknown, index) => walk(items, entry, `${path}${index}.`, tell));
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const known = propertiesOf(forms);
  if (known === null) return;
  for (const [name, member] of Object.entries(value)) {
    const below = known.get(name);
    if (below === undefined) {
      if (!isOpen(forms)) tell(path + name);
    } else walk(below, member, `${path}${name}.`, tell);
  }
}

/** Dotted paths of everything that a schema names; entries of arrays are where their array is. */
export function namesIn(schema: JsonSchema): ReadonlySet<string> {
  const found = new Set<string>();
  const collect = (forms: readonly JsonSchema[], path: string): void => {
    const items = itemsOf(forms);
    if (items.length > 0) collect(items, path);
    for (const [name, below] of propertiesOf(forms) ?? []) {
      found.add(path + name);
      collect(below, `${path}${name}.`);
    }
  };
  collect(formsOf(schema), '');
  return found;
}

/** The name that was probably meant, or null where none is near: misplaced ones count as spelt right. */
export function nearestName(path: string, known: Iterable<string>): string | null {
  const wanted = lastOf(path);
  let [nearest, least]: [string | null, number] = [null, Math.ceil(wanted.length / 2)];
  for (const name of known) {
    const distance = distanceBetween(wanted, lastOf(name), least);
    const isNearer = distance < least || (distance === least && name.length < (nearest?.length ?? 0));
    if (isNearer) [nearest, least] = [name, distance];
  }
  return nearest;
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/** Longer names are no names of ours. */
const LONGEST_NAME = 64;

/** Insertions, deletions and substitutions from one to the other (Levenshtein); at most `most` + 1. */
function distanceBetween(left: string, right: string, most: number): number {
  if (left.length > LONGEST_NAME || Math.abs(left.length - right.length) > most) return most + 1;
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let at = 1; at <= left.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= right.length; to += 1) {
      const substituted = (row[to - 1] ?? 0) + (left[at - 1] === right[to - 1] ? 0 : 1);
      next.push(Math.min(substituted, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? most + 1;
}
