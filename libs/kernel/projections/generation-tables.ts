import type { Generation, ViewShape } from '../ports/read-store.port.js';

/** Names of a store's own begin with an underscore, so a name that begins with a letter never meets them. */
const WORD = /^[A-Za-z][A-Za-z0-9_]*$/;
const VIEW_NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;

/** The name of a view version in a store, such as `detections_v2`. Throws for a name that no store accepts. */
export function versionName({ name, version }: ViewShape): string {
  if (!VIEW_NAME.test(name)) throw new Error(`a view cannot be called ${JSON.stringify(name)}`);
  return `${name}_v${version}`;
}

/** The indexed fields of a view. Throws if the name of the view or the number of the generation cannot be stored. */
export function indexedFields(view: ViewShape, generation: number): readonly string[] {
  for (const number of [view.version, generation]) {
    if (!Number.isSafeInteger(number) || number < 0) {
      throw new Error(`versions and generations of ${view.name} count from 0, ${number} does not`);
    }
  }
  const fields = [...new Set(Object.values(view.indexes).flat())];
  for (const word of [...fields, ...Object.keys(view.indexes)]) {
    if (!WORD.test(word)) {
      throw new Error(`an index or indexed field of ${view.name} cannot be called ${JSON.stringify(word)}`);
    }
  }
  return fields;
}

/** Refuses index lists that changed under the same version. */
export function requireSameIndexes(
  { view, indexLists }: { readonly view: ViewShape; readonly indexLists: string },
  stored: string | null,
): void {
  if (stored !== indexLists) {
    throw new Error(`the indexes of ${view.name} changed: its version must be above ${view.version}`);
  }
}

/** Computes the table of a generation once per generation. */
export function onceByGeneration<Table>(
  describe: (generation: Generation) => Table,
): (generation: Generation) => Table {
  const described = new WeakMap<ViewShape, Map<number, Table>>();
  return ({ view, generation }) => {
    let generations = described.get(view);
    if (generations === undefined) described.set(view, (generations = new Map()));
    let table = generations.get(generation);
    if (table === undefined) generations.set(generation, (table = describe({ view, generation })));
    return table;
  };
}
