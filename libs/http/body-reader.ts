import type { Faults } from '#kernel/values/faults.js';
import { collectFaults, collectUnstorableText, noteNeeded } from './body-faults.js';
import { shapeOf, toJsonSchema } from './body-shape.js';
import { compileSchema } from './json-schema.js';
import { jsonOf } from './json-body.js';
import type { InvalidStatus, JsonSchema } from './parameters.js';
import { invalidRequest } from './problem.js';
import type { ArrivedBody, RawBody } from './raw-body.js';

/** How one body class is read. */
export type BodyReader = {
  readonly schema: JsonSchema;
  /** What is said of an object that lacks all of what it cannot be without. */
  readonly detail: string | undefined;
  /**
   * The declared properties of a JSON object, everything else left out; null when something is wrong, which is
   * then in `faults`, or, where they are empty, `detail`. `escapes`: the JSON text had \u escapes, the only way for NUL and lone surrogates to come.
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
    detail: shape.needed?.keyword === 'anyOf' ? shape.needed.detail : undefined,
    read: (value, escapes, faults) => {
      const valid = isValid(value);
      if (!valid) collectFaults(shape, value, '', faults);
      const declared = picked(value);
      if (escapes) collectUnstorableText(declared, '', faults);
      if (faults.size > 0) return null;
      if (valid) return declared;
      if (!noteNeeded(shape, declared, faults)) {
        throw new Error(`${type.name}: refused by its schema without a fault to name`);
      }
      return null;
    },
  };
}

/**
 * Reads what arrived as the body of a request: the declared properties of a JSON object. Throws `RequestRefused`
 * for everything else, `invalid` where it is well-formed.
 */
export function readingOf(type: new () => object, invalid: InvalidStatus): (arrived: ArrivedBody) => object {
  const reader = bodyReader(type);
  return (arrived) => {
    const { value, escapes } = jsonOf(arrived);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw invalidRequest('body', invalid, undefined, 'The request body must be a JSON object.');
    }
    const faults: Faults = new Map();
    const body = reader.read(value, escapes, faults);
    if (body === null)
      throw faults.size === 0
        ? invalidRequest('body', invalid, undefined, reader.detail)
        : invalidRequest('body', invalid, faults);
    return body;
  };
}

/**
 * A body of this class that is looked at when the handler asks for it: after it has found what the request is
 * about (OP-01). Not even a body that is no object is refused before.
 */
export function readLater<Body extends object>(type: new () => Body): RawBody<() => Body> {
  const read = readingOf(type, 422);
  return { streamed: null, describedBy: type, read: (arrived) => () => read(arrived) as Body };
}
