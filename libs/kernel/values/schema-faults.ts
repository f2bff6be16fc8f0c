import type { ErrorObject } from 'ajv/dist/2020.js';
import { MOST_FAULTS, note, type Faults } from './faults.js';
import { isObject, type JsonObject } from './json.js';
import { faultInWords } from './schema-fault-words.js';

/**
 * One fault of a value under a schema. `path` leads to the object or value concerned;
 * `missing` and `undeclared` name its missing or undeclared property.
 */
export type SchemaFault =
  | {
      readonly kind: 'missing' | 'undeclared';
      readonly path: readonly string[];
      readonly property: string;
    }
  | { readonly kind: 'invalid'; readonly path: readonly string[]; readonly message: string };

/** Keywords that only report the failure of a sub-schema. */
const WRAPPERS: ReadonlySet<string> = new Set(['if', 'allOf']);

/** Marks a property whose name every object inherits (`constructor`): Ajv takes such names for evaluated. */
export const INHERITED_MARK = '\uE000';

/**
 * The faults by field, as in `errors` of a problem document. `describe` returns the field and the message of a fault;
 * each message is listed once under its field. At most 100 fields are named, each with at most 100 messages: many
 * faults of one field do not hide another field.
 */
export function errorsOf(
  faults: readonly SchemaFault[],
  describe: (fault: SchemaFault) => readonly [field: string, message: string],
): Faults {
  const errors: Faults = new Map();
  for (const fault of faults) {
    const [field, message] = describe(fault);
    const noted = errors.get(field)?.length ?? 0;
    if (noted === 0 ? errors.size < MOST_FAULTS : noted < MOST_FAULTS) note(errors, field, message);
  }
  return errors;
}

/** The faults behind the errors of Ajv, in their order. `schema` is the schema of the value. */
export function faultsOf(errors: readonly ErrorObject[], schema: JsonObject): readonly SchemaFault[] {
  const declared = declaredInFailingBranches(errors, schema);
  return errors
    .filter((error) => !WRAPPERS.has(error.keyword))
    .map(faultOf)
    .filter((fault) => {
      // A branch that failed leaves its properties unevaluated: they are declared all the same.
      return fault.kind !== 'undeclared' || !declared.has([...fault.path, fault.property].join('/'));
    });
}

function faultOf(error: ErrorObject): SchemaFault {
  const path = placeOf(error);
  const params: { readonly [name: string]: unknown } = error.params;
  const undeclared = params['unevaluatedProperty'] ?? params['additionalProperty'];
  if (typeof undeclared === 'string') {
    return { kind: 'undeclared', path, property: unescapeInherited(undeclared) };
  }
  const missing = params['missingProperty'];
  if (error.keyword === 'required' && typeof missing === 'string') {
    return { kind: 'missing', path, property: missing };
  }
  return { kind: 'invalid', path, message: faultInWords(error) };
}

/** The steps from the value to the place that an error of Ajv is about. */
export function placeOf({ instancePath }: ErrorObject): readonly string[] {
  return instancePath.split('/').slice(1).map(pointerSegment);
}

function pointerSegment(segment: string): string {
  return unescapeInherited(segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/**
 * Places (`path/property`) of the properties that a failing sub-schema declares, found by walking the schema
 * path of each error: the branch of `#/allOf/0/then/required` declares what its `properties` names.
 */
function declaredInFailingBranches(errors: readonly ErrorObject[], schema: JsonObject): ReadonlySet<string> {
  const places = new Set<string>();
  for (const error of errors) {
    const instance = placeOf(error);
    const steps = error.schemaPath.split('/').slice(1).map(pointerSegment);
    let node: unknown = schema;
    let depth = 0;
    for (const [index, step] of steps.entries()) {
      if (!isObject(node) && !Array.isArray(node)) break;
      node = Reflect.get(node, decodeURIComponent(step));
      // Only these steps also lead into the value.
      const into = steps[index - 1];
      if (into === 'properties' || step === 'items' || into === 'prefixItems') depth += 1;
      if (index === 0 || !isObject(node) || !isObject(node['properties'])) continue;
      for (const property of Object.keys(node['properties'])) {
        places.add([...instance.slice(0, depth), property].join('/'));
      }
    }
  }
  return places;
}

function unescapeInherited(name: string): string {
  return name.endsWith(INHERITED_MARK) ? name.slice(0, -1) : name;
}
