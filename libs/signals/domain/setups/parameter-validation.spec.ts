import { shippedCatalogue } from '#catalogue/domain/templates/catalogue-file.js';
import type { JsonObject } from '#kernel/values/json.js';
import { parameterErrors } from './parameter-validation.js';

const UNDECLARED = ['is not a parameter of this signal'];

function fieldsOf(key: string): JsonObject {
  const template = shippedCatalogue().templates.find((candidate) => candidate.key === key);
  if (template === undefined) throw new Error(`no template ${key}`);
  return template.fields;
}

/** The errors of parameters as a caller sends them. */
function errorsOf(key: string, json: string): { readonly [parameter: string]: readonly string[] } {
  const parameters: JsonObject = JSON.parse(json);
  return Object.fromEntries(parameterErrors(fieldsOf(key), parameters));
}

describe('parameters of the keyword template (OP-16)', () => {
  const errors = (json: string) => errorsOf('mentioned-keywords-on-network', json);

  it('SETUP-01 accepts parameters that match the schema', () => {
    expect(errors('{"tracking_keywords":["a"]}')).toEqual({});
    expect(errors('{"tracking_keywords":["a"],"filter_authors":true,"author_roles":["CTO"]}')).toEqual({});
  });

  it('SETUP-18 names a missing required parameter', () => {
    expect(errors('{}')).toEqual({ tracking_keywords: ['is required'] });
  });

  it('SETUP-15 names several faults at once, nested ones under their parameter', () => {
    expect(errors('{"tracking_keywords":["a"," "],"match_mode":"some","filter_authors":"yes"}')).toEqual({
      tracking_keywords: ['entry 2 must not be empty'],
      match_mode: ['must be one of any, all'],
      filter_authors: ['must be true or false'],
    });
  });

  it('CONV-12 treats a keyword with only zero-width characters and direction marks as blank', () => {
    expect(
      errors('{"tracking_keywords":["a","\\u200b\\u202e"],"filter_authors":true,"author_roles":["\\u2060"]}'),
    ).toEqual({
      tracking_keywords: ['entry 2 must not be empty'],
      author_roles: ['entry 1 must not be empty'],
    });
    expect(errors('{"tracking_keywords":["\\u200bCRM\\u202e"]}')).toEqual({});
  });

  it('SETUP-16 refuses undeclared parameters', () => {
    expect(errors('{"tracking_keywords":["a"],"list_id":3}')).toEqual({ list_id: UNDECLARED });
  });

  it('SETUP-17 refuses a conditional parameter without its condition and requires it with it', () => {
    expect(errors('{"tracking_keywords":["a"],"author_roles":["CTO"]}')).toEqual({
      author_roles: UNDECLARED,
    });
    expect(errors('{"tracking_keywords":["a"],"filter_authors":true}')).toEqual({
      author_roles: ['is required'],
    });
    expect(errors('{"tracking_keywords":["a"],"posts_since":"custom_date"}')).toEqual({
      start_date: ['is required'],
    });
  });

  it('names a failing conditional parameter once, and never calls it undeclared', () => {
    expect(errors('{"tracking_keywords":["a"],"filter_authors":true,"author_roles":[]}')).toEqual({
      author_roles: ['must contain at least 1 entry'],
    });
    expect(errors('{"tracking_keywords":["a"],"filter_authors":true,"author_roles":[" "]}')).toEqual({
      author_roles: ['entry 1 must not be empty'],
    });
  });

  it('SETUP-06 coerces nothing and checks formats', () => {
    expect(errors('{"tracking_keywords":"a","posts_since":"custom_date","start_date":"2026-02-30"}')).toEqual(
      {
        tracking_keywords: ['must be a list'],
        start_date: ['must be a date like 2026-05-14'],
      },
    );
  });

  for (const name of ['constructor', 'toString', 'hasOwnProperty', '__proto__', 'valueOf']) {
    it(`refuses ${name} like any other undeclared parameter (OP-71)`, () => {
      const parameters: JsonObject = JSON.parse(`{"tracking_keywords":["a"],"${name}":1}`);
      const faults = parameterErrors(fieldsOf('mentioned-keywords-on-network'), parameters);
      expect([...faults]).toEqual([[name, UNDECLARED]]);
    });
  }
});

describe('parameters of every shipped template', () => {
  for (const { key, fields } of shippedCatalogue().templates) {
    it(`TPL-14 ${key} compiles and refuses undeclared parameters`, () => {
      const faults = parameterErrors(fields, JSON.parse('{"undeclared":1,"constructor":2}'));
      expect(faults.get('undeclared')).toEqual(UNDECLARED);
      expect(faults.get('constructor')).toEqual(UNDECLARED);
    });
  }
});

describe('oversized parameters', () => {
  const errors = (parameters: JsonObject) =>
    parameterErrors(fieldsOf('mentioned-keywords-on-network'), parameters);

  it('ERR-12 name every wrong parameter also beside lists of any length, and a fault at the end of one', () => {
    const entries = Array.from({ length: 300_000 }, () => 1);
    const lists = { tracking_keywords: entries, other: entries };
    expect(
      [...errors({ ...lists, match_mode: 'x', undeclared: 1, constructor: 2 }).keys()].toSorted(),
    ).toEqual(['constructor', 'match_mode', 'other', 'tracking_keywords', 'undeclared']);
    expect(errors(lists).get('tracking_keywords')?.[0]).toBe('must contain at most 50 entries');
    const wrongAtItsEnd = [
      ...Array.from({ length: 5_000 }, (_, index) => `https://${index}.example`),
      'no address',
    ];
    const links = {
      question: 'Who runs procurement at this company today?',
      answer_type: 'yes_no',
      links: wrongAtItsEnd.map((url) => ({ url })),
    };
    expect([...parameterErrors(fieldsOf('custom-research-question'), links).keys()]).toEqual(['links']);
  });

  it('name the first fault of too many members that are in no list', () => {
    const nested = Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`k${index}`, 1]));
    expect([...errors({ tracking_keywords: nested, match_mode: 'x' })]).toEqual([
      ['tracking_keywords', ['must be a list']],
    ]);
  });

  it('name at most 100 faults', () => {
    const undeclared = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`k${index}`, 1]));
    expect(errors(undeclared).size).toBe(100);
    for (const text of ['\u200b', '\0']) {
      const withText = Object.fromEntries(Object.keys(undeclared).map((key) => [key, text]));
      expect(errors(withText).size).toBe(100);
    }
  });

  it('SETUP-15 name every wrong parameter, also beside one with more than 100 wrong entries', () => {
    const entries = Array.from({ length: 101 }, (_, index) => `rank ${index}`);
    const wrong = parameterErrors(fieldsOf('promotion-in-target-role'), {
      seniority: entries,
      undeclared: 1,
    });
    expect(wrong.get('undeclared')).toEqual(UNDECLARED);
    expect(wrong.get('seniority')?.length).toBe(100);
  });
});

describe('parameters that are objects', () => {
  const errors = (json: string) => errorsOf('custom-research-question', json);
  const question = '"question":"Who runs procurement at this company today?","answer_type":"yes_no"';

  it('OP-71 names nested faults under their parameter, with the entry', () => {
    expect(errors(`{${question},"links":[{"note":"x"}]}`)).toEqual({
      links: ['entry 1 must have the property url'],
    });
    expect(errors(`{${question},"links":[{"url":"not a url","extra":1}]}`)).toEqual({
      links: [
        'entry 1 extra is not a parameter of this signal',
        'entry 1 url must be an address like https://example.com/page',
      ],
    });
  });

  it('OP-03 OP-07 names text that no store can keep under its parameter, with the entry', () => {
    const text = 'must not contain NUL characters or lone surrogates';
    expect(errors(`{"question":"Who \\ud800 runs procurement?","answer_type":"yes_no"}`)).toEqual({
      question: [text],
    });
    expect(errors(`{${question},"links":[{"url":"https://example.com","note":"a\\u0000"}]}`)).toEqual({
      links: [`entry 1 note ${text}`],
    });
  });
});

describe('a schema whose condition declares two parameters', () => {
  const fields: JsonObject = {
    type: 'object',
    properties: { detailed: { type: 'boolean' } },
    allOf: [
      {
        if: { properties: { detailed: { const: true } }, required: ['detailed'] },
        then: {
          properties: { low: { type: 'integer' }, high: { type: 'integer' } },
          required: ['low', 'high'],
        },
      },
    ],
    unevaluatedProperties: false,
  };

  it('does not call a valid parameter undeclared because the other is invalid', () => {
    expect([...parameterErrors(fields, { detailed: true, low: 1, high: 'x' })]).toEqual([
      ['high', ['must be an integer']],
    ]);
    expect([...parameterErrors(fields, { detailed: true, low: 1 })]).toEqual([['high', ['is required']]]);
  });

  it('still names parameters that no branch declares, and both if the condition does not hold', () => {
    expect([...parameterErrors(fields, { detailed: true, low: 'x', high: 1, other: 1 }).keys()]).toEqual([
      'low',
      'other',
    ]);
    expect([...parameterErrors(fields, { low: 1, high: 2 }).keys()]).toEqual(['low', 'high']);
  });
});
