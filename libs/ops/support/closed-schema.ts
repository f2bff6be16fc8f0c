import type { JsonObject } from '#kernel/values/json.js';
import { compileJsonSchema, type SchemaCheck } from '#kernel/values/json-schema.js';
import type { SchemaFault } from '#kernel/values/schema-faults.js';
import type { TObject } from '#kernel/values/schema.js';

const checks = new WeakMap<TObject, SchemaCheck>();

/** The faults of a value under the schema; an undeclared member is a fault, too. */
export function unfit(schema: TObject, input: unknown): readonly SchemaFault[] {
  let check = checks.get(schema);
  if (check === undefined) {
    const plain: JsonObject = JSON.parse(JSON.stringify({ ...schema, additionalProperties: false }));
    check = compileJsonSchema(plain);
    checks.set(schema, check);
  }
  return check(input);
}
