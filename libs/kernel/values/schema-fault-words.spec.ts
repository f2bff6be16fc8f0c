import { SOMETHING_VISIBLE } from './blank-text.js';
import { compileJsonSchema } from './json-schema.js';
import type { JsonObject } from './json.js';
import { OPERATOR_NAME } from './operators.js';
import { Month, NamesOf } from './schema.js';

const messageOf = (schema: JsonObject, value: unknown): readonly string[] =>
  compileJsonSchema(schema)(value).map((fault) => (fault.kind === 'invalid' ? fault.message : fault.kind));

const OPERATOR_NAME_FAULT =
  'must be small letters and digits, with dots and dashes between them, at most 40 characters';

describe('faults of a JSON Schema in words', () => {
  const cases: readonly (readonly [schema: JsonObject, value: unknown, message: string])[] = [
    [{ type: 'string' }, 1, 'must be text'],
    [{ type: ['integer', 'null'] }, 'a', 'must be an integer or null'],
    [{ type: 'array' }, 'a', 'must be a list'],
    [{ type: 'boolean' }, 'a', 'must be true or false'],
    [{ enum: ['a', 'b'] }, 'c', 'must be one of a, b'],
    [{ const: 'a' }, 'b', 'must be "a"'],
    [{ pattern: '\\S' }, ' ', 'must not be empty'],
    [{ pattern: SOMETHING_VISIBLE }, '\u200b', 'must not be empty'],
    [{ pattern: OPERATOR_NAME }, 'Ana', OPERATOR_NAME_FAULT],
    [Month, '2026-13', 'must be a month like 2026-05'],
    [NamesOf('day', 'week'), 'day,year', 'must be one or more of day, week, separated by commas'],
    [{ pattern: '^[a-z]+$' }, 'A', 'must have the form of the regular expression ^[a-z]+$'],
    [{ format: 'date' }, '2026-02-30', 'must be a date like 2026-05-14'],
    [{ format: 'uri' }, 'not a url', 'must be an address like https://example.com/page'],
    [{ minLength: 1 }, '', 'must not be empty'],
    [{ minLength: 2 }, 'a', 'must contain at least 2 characters'],
    [{ maxLength: 1 }, 'ab', 'must contain at most 1 character'],
    [{ minItems: 1 }, [], 'must contain at least 1 entry'],
    [{ maxItems: 2 }, [1, 2, 3], 'must contain at most 2 entries'],
    [{ uniqueItems: true }, [1, 1], 'must not contain an entry twice'],
    [{ minProperties: 1 }, {}, 'must have at least 1 property'],
    [{ maxProperties: 1 }, { a: 1, b: 1 }, 'must have at most 1 property'],
    [{ minimum: 1 }, 0, 'must be at least 1'],
    [{ maximum: 1 }, 2, 'must be at most 1'],
    [{ exclusiveMinimum: 1 }, 1, 'must be above 1'],
    [{ exclusiveMaximum: 1 }, 1, 'must be below 1'],
    [{ multipleOf: 2 }, 3, 'must be a multiple of 2'],
  ];
  for (const [schema, value, message] of cases) {
    it(`${JSON.stringify(schema)} refuses ${JSON.stringify(value)}: ${message}`, () => {
      expect(messageOf(schema, value)).toEqual([message]);
    });
  }

  it('reports an alternative beside the faults of its forms', () => {
    const schema = { anyOf: [{ type: 'string' }, { type: 'null' }] };
    expect(messageOf(schema, 1)).toEqual([
      'must be text',
      'must be null',
      'matches none of the allowed forms',
    ]);
  });
});
