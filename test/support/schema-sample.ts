type Schema = { readonly [keyword: string]: unknown };

/**
 * The smallest valid value of a template's parameter schema: required properties only, so that no conditional block
 * of the catalogue applies. `listOf` returns the id of a list of the type that the schema requires.
 */
export async function smallestSample(
  schema: Schema,
  listOf: (type: string) => Promise<number>,
): Promise<unknown> {
  const { type, properties, required, items } = schema;
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  const listType = schema['x-watchlist-type'];
  if (typeof listType === 'string') return listOf(listType);
  if (type === 'object') {
    const names: readonly string[] = Array.isArray(required) ? required : [];
    const entries = names.map(async (name) => [name, await smallestSample(member(properties, name), listOf)]);
    return Object.fromEntries(await Promise.all(entries));
  }
  if (type === 'array')
    return schema['minItems'] === undefined ? [] : [await smallestSample(toSchema(items), listOf)];
  if (type === 'integer' || type === 'number') return schema['minimum'] ?? 1;
  if (type === 'boolean') return false;
  if (schema['format'] === 'date') return '2026-05-01';
  if (schema['format'] === 'uri') return 'https://acme.com';
  if (type === 'string') return 'x'.repeat(Number(schema['minLength'] ?? 1));
  throw new Error(`no sample for ${JSON.stringify(schema)}`);
}

const toSchema = (value: unknown): Schema => {
  if (typeof value !== 'object' || value === null) throw new Error('not a schema');
  return { ...value };
};

const member = (properties: unknown, name: string): Schema =>
  toSchema(Object.entries(toSchema(properties)).find(([known]) => known === name)?.[1]);
