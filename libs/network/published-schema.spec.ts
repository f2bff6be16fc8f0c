import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isJsonObject, type JsonValue } from '#kernel/values/json.js';
import { checkLine } from './line-faults.js';
import { observationLines } from './observation-lines.js';
import { observationSchema } from './published-schema.js';

const published = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  strictTypes: false,
  strictRequired: false,
});
const accepts = published.compile(observationSchema());
const isTaken = (line: unknown): boolean => 'line' in checkLine(line);

const sample = readFileSync(join(import.meta.dirname, '../../../apps/cli/sample/network.ndjson'), 'utf8')
  .trim()
  .split('\n')
  .map((line): JsonValue => JSON.parse(line));

/** Other values for each member of a line, most of them invalid. */
const WRONG: readonly JsonValue[] = [
  null,
  '',
  ' ',
  'a b',
  'x/y',
  7,
  -1,
  1.5,
  true,
  [],
  [null],
  [7],
  {},
  '2024-13',
  '2026-02-30',
  'a.b',
  'acme.com/about us',
  'acme。com',
];
function* mutants(line: JsonValue): Generator<JsonValue> {
  if (!isJsonObject(line)) return;
  for (const name of Object.keys(line)) {
    for (const value of WRONG) yield { ...line, [name]: value };
    const member = line[name];
    if (isJsonObject(member)) for (const other of mutants(member)) yield { ...line, [name]: other };
    const first = Array.isArray(member) ? member[0] : undefined;
    if (isJsonObject(first)) for (const other of mutants(first)) yield { ...line, [name]: [other] };
  }
}

describe('the published schema of observations', () => {
  it('is plain JSON Schema without own keywords, and accepts the whole sample', () => {
    expect(sample.length).toBeGreaterThan(800);
    expect(sample.filter((line) => !accepts(line))).toEqual([]);
    expect(sample.filter((line) => !isTaken(line))).toEqual([]);
  });

  it('refuses no valid line, and accepts few invalid ones: those that no regular expression can refuse', () => {
    const kinds = new Map(sample.map((line) => [isJsonObject(line) ? line['kind'] : null, line]));
    expect([...kinds.keys()].sort()).toEqual(Object.keys(observationLines).sort());
    let refused = 0;
    const onlyHere: JsonValue[] = [];
    for (const line of kinds.values())
      for (const mutant of mutants(line)) {
        const taken = isTaken(mutant);
        const allowed = accepts(mutant);
        if (taken) expect([mutant, allowed]).toEqual([mutant, true]);
        if (taken) continue;
        refused += 1;
        if (allowed) onlyHere.push(mutant);
      }
    expect(refused).toBeGreaterThan(500);
    expect(onlyHere.length / refused).toBeLessThan(0.05);
  });

  it('describes every member, and mentions no internal names', () => {
    const undescribed: string[] = [];
    const look = (schema: JsonValue | undefined, path: string): void => {
      if (!isJsonObject(schema)) return;
      for (const [name, member] of Object.entries(
        isJsonObject(schema['properties']) ? schema['properties'] : {},
      )) {
        const described = isJsonObject(member) && typeof member['description'] === 'string';
        if (!described && name !== 'kind') undescribed.push(`${path}.${name}`);
        look(member, `${path}.${name}`);
      }
      look(schema['items'], `${path}[]`);
    };
    const { $defs } = observationSchema();
    for (const [kind, schema] of Object.entries(isJsonObject($defs) ? $defs : {})) look(schema, kind);
    expect(undescribed).toEqual([]);
    expect(JSON.stringify(observationSchema())).not.toMatch(/"(reads|storable)"/);
  });
});
