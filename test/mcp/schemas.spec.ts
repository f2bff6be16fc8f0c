import type { Client, Transport } from '@modelcontextprotocol/client';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { overStdio } from '#test/support/mcp-program.js';
import { crmScene, ERAS, mcpClient, overHttp } from '#test/support/mcp.js';
import { isRecord } from '#test/support/records.js';
import { sharedWorkspace } from '#test/support/scene.js';

/** Keywords whose value is one schema, a list of schemas, or schemas by name. */
const ONE = ['items', 'additionalProperties', 'contains', 'propertyNames', 'if', 'then', 'else', 'not'];
const MANY = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const NAMED = ['properties', 'patternProperties', 'dependentSchemas', '$defs'];
/** true and false are the usual way to write this one. */
const MAY_BE_BOOLEAN = 'additionalProperties';
/** Keywords that restrict nothing. */
const SAYS_NOTHING = new Set(['title', 'description', 'examples', 'default', 'deprecated']);

/** A schema and all nested schemas, each with its path and the keyword before it. */
function schemasIn(schema: unknown, path: string, keyword = ''): readonly [string, string, unknown][] {
  const inside = !isRecord(schema)
    ? []
    : Object.entries(schema).flatMap(([name, value]) => {
        const below = `${path}/${name}`;
        if (ONE.includes(name)) return schemasIn(value, below, name);
        if (MANY.includes(name) && Array.isArray(value))
          return value.flatMap((each: unknown, index) => schemasIn(each, `${below}/${index}`, name));
        if (NAMED.includes(name) && isRecord(value))
          return Object.entries(value).flatMap(([key, each]) => schemasIn(each, `${below}/${key}`, name));
        return [];
      });
  return [[path, keyword, schema], ...inside];
}

/** Keywords that a client with partial support of JSON Schema may refuse or ignore. */
function hardToCarry(keyword: string, schema: unknown): string | null {
  if (typeof schema === 'boolean')
    return keyword === MAY_BE_BOOLEAN ? null : 'a boolean in place of a schema';
  if (!isRecord(schema)) return 'no schema';
  if (Array.isArray(schema.type)) return 'a list of types';
  if ('$ref' in schema) return 'a reference';
  if (Object.keys(schema).every((name) => SAYS_NOTHING.has(name))) return 'a schema that takes any value';
  return null;
}

describe('MCP-03 the schemas of the tools', () => {
  const service = crmScene();
  const workspace = sharedWorkspace(service);

  async function toolsOver(transport: Transport, era: (typeof ERAS)[number]) {
    const client: Client = await mcpClient(transport, { era });
    try {
      return (await client.listTools()).tools;
    } finally {
      await client.close();
    }
  }

  const transports: Record<string, () => Transport> = {
    HTTP: () => overHttp(service.url, workspace.apiKey),
    stdio: () => overStdio({ SIGNAL_LEDGER_URL: service.url, SIGNAL_LEDGER_KEY: workspace.apiKey }),
  };

  describe.each(Object.entries(transports))('over %s', (_, transport) => {
    it.each(ERAS)('are JSON Schema 2020-12 in its strict reading, revision %s', async (era) => {
      const tools = await toolsOver(transport(), era);
      expect(tools).toHaveLength(11);
      for (const { name, inputSchema, outputSchema } of tools)
        for (const schema of [inputSchema, outputSchema]) {
          // A new one for each schema: two schemas must not need each other.
          const ajv = new Ajv2020({ strict: true, validateSchema: true, allErrors: true });
          addFormats.default(ajv);
          expect([name, ajv.validateSchema(schema ?? false), ajv.errors]).toEqual([name, true, null]);
          expect(() => ajv.compile(schema ?? false)).not.toThrow();
        }
    });

    it.each(ERAS)('use only keywords that clients with partial support accept, revision %s', async (era) => {
      const tools = await toolsOver(transport(), era);
      const looked = tools.flatMap(({ name, inputSchema, outputSchema }) => [
        ...schemasIn(inputSchema, `${name} input`),
        ...schemasIn(outputSchema, `${name} output`),
      ]);
      expect(looked.length).toBeGreaterThan(300);
      const found = looked.flatMap(([path, keyword, schema]) => {
        const fault = hardToCarry(keyword, schema);
        return fault === null ? [] : [`${path}: ${fault}`];
      });
      expect(found).toEqual([]);
    });
  });
});
