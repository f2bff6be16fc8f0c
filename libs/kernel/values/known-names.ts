import { isObject } from './json.js';

type JsonSchema = { readonly [keyword: string]: unknown };

/**
 * The members of a value that its schema does not know: calls back with the path of each, in the dotted form of
 * `errors`.
 */
export type OnUnknown = (path: string) => void;

/** The object schemas among the forms that a value may take. */
function formsOf(schema: JsonSchema): readonly JsonSchema[] {
  const further = ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => {
    const forms = schema[keyword];
    return Array.isArray(forms) ? forms.filter(isObject).flatMap(formsOf) : [];
  });
  return [schema, ...further];
}

/** Whether an object may have members that its schema does not name. */
const isOpen = (forms: readonly JsonSchema[]): boolean =>
  forms.some(({ additionalProperties: others }) => others === true || isObject(others));

function propertiesOf(forms: readonly JsonSchema[]): ReadonlyMap<string, readonly JsonSchema[]> | null {
  const found = new Map<string, readonly JsonSchema[]>();
  let isDeclared = false;
  for (const { properties } of forms) {
    if (!isObject(properties)) continue;
    isDeclared = true;
    for (const [name, each] of Object.entries(properties)) {
      if (isObject(each)) found.set(name, [...(found.get(name) ?? []), ...formsOf(each)]);
    }
  }
  return isDeclared ? found : null;
}

const itemsOf = (forms: readonly JsonSchema[]): readonly JsonSchema[] =>
  forms.flatMap(({ items }) => (isObject(items) ? formsOf(items) : []));

/** The names that a schema declares at one place, computed once and then compared with requests. */
type Known = {
  /** null: no member is named, so none is unknown. */
  readonly members: ReadonlyMap<string, Known> | null;
  readonly entries: Known | null;
  readonly isOpen: boolean;
  /** No name below can be unknown, so the check stops here. */
  readonly isLeaf: boolean;
};

function knownOf(forms: readonly JsonSchema[]): Known {
  const properties = propertiesOf(forms);
  const items = itemsOf(forms);
  return {
    members:
      properties === null
        ? null
        : new Map([...properties].map(([name, below]) => [name, knownOf(below)] as const)),
    entries: items.length === 0 ? null : knownOf(items),
    isOpen: isOpen(forms),
    isLeaf: properties === null && items.length === 0,
  };
}

/** Walks a value beside its schema. An object whose schema names no member, or takes others, has none that is unknown. */
export function unknownNames(schema: JsonSchema): (value: unknown, onUnknown: OnUnknown) => void {
  // At the first call: a service has many schemas, and few of them are used soon.
  let known: Known | null = null;
  return (value, onUnknown) => walk((known ??= knownOf(formsOf(schema))), value, '', onUnknown);
}

function walk(
  { members, entries, isOpen: takesOthers }: Known,
  value: unknown,
  path: string,
  onUnknown: OnUnknown,
): void {
  if (Array.isArray(value)) {
    if (entries === null) return;
    value.forEach((entry: unknown, index) => walk(entries, entry, `${path}${index}.`, onUnknown));
    return;
  }
  if (typeof value !== 'object' || value === null || members === null) return;
  const object: { readonly [name: string]: unknown } = Object(value);
  // Every request passes here: no object is created for a known name.
  for (const name in object) {
    const below = members.get(name);
    if (below === undefined) {
      if (!takesOthers) onUnknown(path + name);
    } else if (!below.isLeaf) {
      walk(below, object[name], `${path}${name}.`, onUnknown);
    }
  }
}

/** Dotted paths of everything that a schema names; entries of arrays are where their array is. */
export function namesIn(schema: JsonSchema): ReadonlySet<string> {
  const found = new Set<string>();
  const collect = ({ members, entries }: Known, path: string): void => {
    if (entries !== null) collect(entries, path);
    for (const [name, below] of members ?? []) {
      found.add(path + name);
      collect(below, `${path}${name}.`);
    }
  };
  collect(knownOf(formsOf(schema)), '');
  return found;
}

/**
 * The probably intended name, or null without a similar one; misplaced names count as spelt right. `mostEdits` is the
 * number of characters that may differ; default: less than half of the name.
 */
export function nearestName(path: string, known: Iterable<string>, mostEdits?: number): string | null {
  const wanted = lastOf(path);
  const bound = mostEdits === undefined ? Math.ceil(wanted.length / 2) : mostEdits + 1;
  let [nearest, least]: [string | null, number] = [null, bound];
  for (const name of known) {
    const candidate = lastOf(name);
    // `author` for `author_ref`: the end was left out
    const distance = candidate.startsWith(`${wanted}_`) ? 1 : distanceBetween(wanted, candidate, least);
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
    // The smallest distance of a row never decreases, so the comparison of names that are not alike ends early.
    if (next.every((distance) => distance > most)) return most + 1;
    row = next;
  }
  return row[right.length] ?? most + 1;
}
