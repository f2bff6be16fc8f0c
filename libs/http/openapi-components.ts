import { pascalCase } from '#kernel/values/capitalized.js';
import { isObject } from '#kernel/values/json.js';
import type { Documented } from './openapi-schemas.js';
import type { JsonSchema } from './parameters.js';
import type { Reference } from './reference.js';

/** Keywords whose value is one schema, or a list of them. */
const BELOW = ['items', 'anyOf', 'oneOf', 'allOf', 'prefixItems', 'additionalProperties'] as const;

/** The schemas of a document: each is defined once, under its name, and referenced everywhere else. */
export type SchemaComponents = {
  /**
   * The schema as it is used in place. A schema with members or a title becomes a component: under its title, or
   * under `name`. Throws if two schemas would have the same name.
   */
  readonly refer: (schema: JsonSchema, name: string) => JsonSchema;
  /** Every referenced schema, by name. */
  readonly schemas: () => { readonly [name: string]: Documented };
};

/** Missing descriptions are not replaced: the check of the document reports them. */
export function schemaComponents(reference: Reference): SchemaComponents {
  const known = new Map<string, { readonly schema: Documented; readonly text: string }>();

  function refer(schema: JsonSchema, name: string): JsonSchema {
    const { title, ...rest } = schema;
    const named = typeof title === 'string' ? title : name;
    if (!isNamed(schema)) return bounded(typed(below(rest, named)));
    const { type } = schema;
    const isNullable = Array.isArray(type) && type.includes('null');
    keepWhole(named, isNullable ? { ...rest, type: 'object' } : rest);
    const reference = { $ref: `#/components/schemas/${named}` };
    return isNullable ? { anyOf: [reference, { type: 'null' }] } : reference;
  }

  /** The required alternatives are kept next to the members, because generators of types do not merge them. */
  function keepWhole(name: string, schema: JsonSchema): void {
    const { anyOf, oneOf, description, ...members } = schema;
    const said = description === undefined ? {} : { description };
    const isChoice = anyOf !== undefined || oneOf !== undefined;
    if (!isChoice || !isObject(members['properties'])) return keep(name, below(schema, name));
    keep(`${name}Fields`, below(members, name));
    const fields = { $ref: `#/components/schemas/${name}Fields` };
    keep(name, { ...said, allOf: [fields, anyOf === undefined ? { oneOf } : { anyOf }] });
  }

  function below(schema: JsonSchema, name: string): JsonSchema {
    const shown: Record<string, unknown> = { ...schema };
    const { properties } = schema;
    if (isObject(properties)) {
      shown['properties'] = Object.fromEntries(
        Object.entries(properties).map(([property, each]) => [
          property,
          isObject(each) ? described(each, name, property) : each,
        ]),
      );
    }
    for (const keyword of BELOW) {
      const value = schema[keyword];
      if (Array.isArray(value))
        shown[keyword] = value.map((each) => (isObject(each) ? refer(each, name) : each));
      else if (isObject(value)) shown[keyword] = refer(value, keyword === 'items' ? singular(name) : name);
    }
    return shown;
  }

  function described(schema: JsonSchema, owner: string, property: string): JsonSchema {
    const { description, examples, ...rest } = schema;
    const own = {
      ...(description === undefined ? {} : { description }),
      ...(examples === undefined ? {} : { examples }),
    };
    // the description of a named schema stays in the component
    const staysInside = isNamed(schema);
    const shown = refer(staysInside ? schema : rest, owner + pascalCase(property));
    return { ...shown, ...reference.ofField(owner, property, shown), ...(staysInside ? {} : own) };
  }

  function keep(name: string, schema: JsonSchema): void {
    const text = JSON.stringify(schema);
    const before = known.get(name);
    if (before !== undefined && before.text !== text) {
      throw new Error(
        `two schemas are called ${name}: give one of them a title of its own\n${before.text}\n${text}`,
      );
    }
    known.set(name, { schema, text });
  }

  return {
    refer,
    schemas: () =>
      Object.fromEntries(
        [...known]
          .sort(([left], [right]) => (left < right ? -1 : 1))
          .map(([name, { schema }]) => [name, schema]),
      ),
  };
}

/** Whether a schema becomes a component. */
function isNamed(schema: JsonSchema): boolean {
  return typeof schema['title'] === 'string' || isObject(schema['properties']);
}

/** Integers are limited to the range in which JSON numbers are exact. */
function bounded(schema: JsonSchema): JsonSchema {
  const isInteger = [schema['type']].flat().includes('integer');
  return !isInteger || 'maximum' in schema || 'enum' in schema || 'const' in schema
    ? schema
    : { ...schema, maximum: Number.MAX_SAFE_INTEGER };
}

/** An enumeration of words also states that they are texts: viewers and generators need the type. */
function typed(schema: JsonSchema): JsonSchema {
  const values = schema['enum'];
  if (!Array.isArray(values) || 'type' in schema) return schema;
  if (!values.every((value) => value === null || typeof value === 'string')) return schema;
  return { type: values.includes(null) ? ['string', 'null'] : 'string', ...schema };
}

/** The name of one entry of a list: `Launches` has entries `Launch`. */
function singular(name: string): string {
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`;
  if (/(ch|sh|x|ss)es$/.test(name)) return name.slice(0, -2);
  return name.endsWith('s') && !name.endsWith('ss') ? name.slice(0, -1) : `${name}Entry`;
}
