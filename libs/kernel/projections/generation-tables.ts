import type { Generation, ViewShape } from '../ports/read-store.port.js';

/** Names of a store's own begin with an underscore, so a name that begins with a letter never meets them. */
const WORD = /^[A-Za-z][A-Za-z0-9_]*$/;
const VIEW_NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;

/** `detections_v2`: names a version of a view in a store. Throws where the view cannot be called so. */
export function versionName({ name, version }: ViewShape): string {
  if (!VIEW_NAME.test(name)) throw new Error(`a view cannot be called ${JSON.stringify(name)}`);
  return `${name}_v${version}`;
}

/** The fields that a view has in its indexes. Throws where it, or a generation of it, cannot be stored as it is called. */
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

/** Describes where a generation is stored, once for each. */
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
