import { collectFaults, collectUnstorableText } from './body-faults.js';
import { shapeOf, toJsonSchema } from './body-shape.js';
import { compileSchema } from './json-schema.js';
import type { Faults, JsonSchema } from './parameters.js';

/** How one body class is read. */
export type BodyReader = {
  readonly schema: JsonSchema;
  /**
   * The declared properties of a JSON object, everything else left out; null when something is wrong, which is
   * then in `faults`. `escapes`: the JSON text had \u escapes, the only way for NUL and lone surrogates to come.
   */
  readonly read: (value: object, escapes: boolean, faults: Faults) => object | null;
};

/** The reader of a body class. Throws at start for a class that says nothing of what it reads. */
export function bodyReader(type: new () => object): BodyReader {
  const shape = shapeOf(type);
  const schema = toJsonSchema(shape);
  const isValid = compileSchema(schema);
  const names = [...(shape.properties ?? new Map<string, never>()).keys()];
  const picked = (value: object): object => {
    const declared: Record<string, unknown> = {};
    const source: { readonly [name: string]: unknown } = Object(value);
    for (const name of names) {
      const member = source[name];
      if (member !== undefined) declared[name] = member;
    }
    return declared;
  };
  return {
    schema,
    read: (value, escapes, faults) => {
      if (!isValid(value)) {
        collectFaults(shape, value, '', faults);
        if (faults.size === 0) throw new Error(`${type.name}: refused by its schema without a fault to name`);
      }
      const declared = picked(value);
      if (escapes) collectUnstorableText(declared, '', faults);
      return faults.size === 0 ? declared : null;
    },
  };
}
