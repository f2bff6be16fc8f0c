import { namesIn, nearestName, unknownNames } from './known-names.js';

const SCHEMA = {
  type: 'object',
  properties: {
    agent_id: { type: 'integer' },
    parameters: { type: ['object', 'null'], properties: { lookback_days: { type: 'integer' } } },
    rows: { type: 'array', items: { type: 'object', properties: { domain: { type: 'string' } } } },
    either: { anyOf: [{ type: 'null' }, { type: 'object', properties: { cadence: {} } }] },
    free: { type: 'object' },
    open: { type: 'object', properties: { named: {} }, additionalProperties: true },
  },
};
const unknownIn = (value: unknown): readonly string[] => {
  const found: string[] = [];
  unknownNames(SCHEMA)(value, (path) => found.push(path));
  return found;
};

describe('names that a schema knows', () => {
  it('are found at any depth, in arrays and in each form of a value', () => {
    expect([...namesIn(SCHEMA)]).toEqual([
      'agent_id',
      'parameters',
      'parameters.lookback_days',
      'rows',
      'rows.domain',
      'either',
      'either.cadence',
      'free',
      'open',
      'open.named',
    ]);
  });

  it('exclude all others, which are reported with their whole path', () => {
    expect(
      unknownIn({
        agent_id: 1,
        lookback_days: 7,
        parameters: { lookback_days: 7, lookback: 7 },
        rows: [{ domain: 'a' }, { domian: 'b', deep: { deeper: 1 } }],
        either: { cadence: 'weekly', day: 1 },
        free: { anything: { at: 'all' } },
        open: { named: 1, unnamed: 1 },
      }),
    ).toEqual(['lookback_days', 'parameters.lookback', 'rows.1.domian', 'rows.1.deep', 'either.day']);
    for (const value of [null, 'text', 7, [], { parameters: null, rows: 'no rows' }, undefined]) {
      expect(unknownIn(value)).toEqual([]);
    }
  });

  it.each([
    ['lookback_days', 'parameters.lookback_days'],
    ['agentid', 'agent_id'],
    ['rows.1.domian', 'rows.domain'],
    ['something_else_entirely', null],
    ['x'.repeat(1_000), null],
  ])('the nearest to %s is %s', (path, nearest) => {
    expect(nearestName(path, namesIn(SCHEMA))).toBe(nearest);
  });
});
