import type { Faults } from '#kernel/values/faults.js';
import { collectUnstorableText } from '#kernel/values/unstorable-text.js';
import { collectFaults, noteNeeded } from './body-faults.js';
import { shapeOf, toJsonSchema } from './body-shape.js';
import { compileSchema } from './json-schema.js';
import { jsonOf } from './json-body.js';
import type { InvalidStatus, JsonSchema } from './parameters.js';
import { invalidRequest } from './problem.js';
import type { ArrivedBody, RawBody } from './raw-body.js';

/** Reads the bodies of one class. */
export type BodyReader = {
  readonly schema: JsonSchema;
  /** The message for an object without any of the required members. */
  readonly detail: string | undefined;
  /**
   * The declared properties of a JSON object, without all others; null if it is invalid. The faults are then in
   * `faults`, or, if that is empty, `detail` is the message. `escapes`: the JSON text had \u escapes, the only way
   * for NUL and lone surrogates to arrive.
   */
  readonly read: (value: object, escapes: boolean, faults: Faults) => object | null;
};

/** The reader of a body class. Throws at start for a class without rules. */
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
      if (escapes) {
        for (const [name, member] of Object.entries(declared))
          if (shape.properties?.get(name)?.checksTextLater !== true)
            collectUnstorableText(member, name, faults);
      }
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
 * Reads the body of a request: the declared properties of a JSON object. Throws `RequestRefused` for anything else,
 * with status `invalid` if it is well-formed.
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
 * A body of this class that the handler validates itself, after it has found the resource (OP-01). Nothing is refused
 * before, not even a body that is no object.
 */
export function readLater<Body extends object>(type: new () => Body): RawBody<() => Body> {
  const read = readingOf(type, 422);
  return { streamed: null, describedBy: type, read: (arrived) => () => read(arrived) as Body };
}
