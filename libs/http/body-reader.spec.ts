import { SOMETHING_VISIBLE } from '#kernel/values/blank-text.js';
import type { Faults } from '#kernel/values/faults.js';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  IsUppercase,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import fc from 'fast-check';
import { bodyReader, type BodyReader } from './body-reader.js';
import {
  IsAnyJson,
  IsDate,
  IsFreeObject,
  IsId,
  IsInstant,
  IsNotBlank,
  IsNullable,
  NeedsExactlyOneOf,
  NeedsSomeField,
} from './body.js';

class Schedule {
  @IsIn(['weekly']) readonly cadence: string;
}

class Account {
  @IsOptional() @IsString() @MaxLength(10) readonly domain?: string;
  @IsOptional() @IsIn(['Tier 1', 'Tier 2']) readonly tier?: string;
}

class Everything {
  @IsString() @Length(1, 5) readonly name: string;
  @IsOptional() @IsNullable() @IsNotBlank() readonly label?: string | null;
  @IsOptional() @IsInt() @Min(1) @Max(3) readonly tier?: number;
  @IsOptional() @IsNumber() readonly share?: number;
  @IsOptional() @IsBoolean() readonly archived?: boolean;
  @IsOptional()
  @IsId({ each: true })
  @ArrayMinSize(1)
  @ArrayUnique()
  readonly persona_ids?: readonly number[];
  @IsOptional()
  @IsNullable()
  @ValidateNested()
  @Type(() => Schedule)
  readonly schedule?: Schedule | null;
  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => Account)
  @ArrayMaxSize(3)
  readonly accounts?: readonly Account[];
  @IsOptional() @IsFreeObject() readonly parameters?: object;
  @IsOptional() @IsAnyJson() readonly extra?: unknown;
  @IsOptional() @IsInstant() readonly since?: string;
  @IsOptional() @IsDate() readonly day?: string;
  @IsOptional() @Matches(/^[a-z]+$/, { message: 'must be lower-case letters' }) readonly key?: string;
  @IsOptional() @IsString({ each: true }) @MaxLength(3, { each: true }) readonly tags?: readonly string[];
}

const reader = bodyReader(Everything);

/** The read body, and the faults. */
function readWith({ read }: BodyReader, body: object) {
  const faults: Faults = new Map();
  const declared = read(body, true, faults);
  return [declared, Object.fromEntries(faults)] as const;
}

function faultsOf(body: object): Record<string, readonly string[]> {
  const [read, faults] = readWith(reader, body);
  expect(read === null).toBe(Object.keys(faults).length > 0);
  return faults;
}

describe('a request body', () => {
  it('reaches the handler with its declared properties only, nested objects as sent', () => {
    const sent = {
      name: 'Acme',
      unknown: 1,
      parameters: { list_id: 4, deep: { x: [1] } },
      accounts: [{ domain: 'a.test', note: 'kept' }],
      label: null,
    };
    const read = reader.read(sent, false, new Map());
    expect(read).toEqual({
      name: 'Acme',
      label: null,
      accounts: [{ domain: 'a.test', note: 'kept' }],
      parameters: { list_id: 4, deep: { x: [1] } },
    });
  });

  it('OP-03 names all faults at once, by dotted path, in plain words', () => {
    expect(
      faultsOf({
        label: ' ',
        tier: 4,
        share: '1',
        archived: 'yes',
        persona_ids: [],
        schedule: { cadence: 'daily' },
        accounts: [{}, { domain: 7, tier: 'Tier 9' }, null],
        parameters: [],
        since: '2026-02-30',
        day: '2026-01-01T00:00:00Z',
        key: 'A1',
        tags: ['ok', 'long!', 3],
      }),
    ).toEqual({
      name: ['is required'],
      label: ['must not be empty'],
      tier: ['must be at most 3'],
      share: ['must be a number'],
      archived: ['must be true or false'],
      persona_ids: ['must contain at least 1 entry'],
      'schedule.cadence': ['must be one of weekly'],
      'accounts.1.domain': ['must be a string'],
      'accounts.1.tier': ['must be one of Tier 1, Tier 2'],
      'accounts.2': ['must be an object'],
      parameters: ['must be an object'],
      since: ['must be an ISO 8601 date or timestamp'],
      day: ['must be an ISO 8601 date'],
      key: ['must be lower-case letters'],
      tags: ['entry 2 must contain at most 3 characters', 'entry 3 must be a string'],
    });
  });

  it('refuses null if only absence was declared, and accepts it if null was', () => {
    expect(faultsOf({ name: null, tier: null, schedule: null, label: null, extra: null })).toEqual({
      name: ['must be a string'],
      tier: ['must be an integer'],
    });
  });

  it('counts characters as code points', () => {
    expect(faultsOf({ name: '😀😀😀😀😀' })).toEqual({});
    expect(faultsOf({ name: '😀😀😀😀😀😀' })).toEqual({ name: ['must contain at most 5 characters'] });
    expect(faultsOf({ name: '' })).toEqual({ name: ['must not be empty'] });
  });

  it('refuses integers that JSON cannot carry exactly, repeated entries and too many entries', () => {
    expect(faultsOf({ name: 'x', tier: 1e300, persona_ids: [1, 2 ** 53] })).toEqual({
      tier: ['must be an integer'],
      persona_ids: ['entry 2 must be an integer'],
    });
    expect(faultsOf({ name: 'x', persona_ids: [1, 1], accounts: [{}, {}, {}, {}] })).toEqual({
      persona_ids: ['must not contain an entry twice'],
      accounts: ['must contain at most 3 entries'],
    });
  });

  it('OP-07 refuses NUL and lone surrogates at any depth, also in keys, but not in ignored members', () => {
    const text = 'must not contain NUL characters or lone surrogates';
    expect(
      faultsOf({
        name: 'a\0',
        parameters: { deep: ['\ud800'] },
        extra: { 'k\0': 1 },
        ignored: '\0',
      }),
    ).toEqual({ name: [text], 'parameters.deep': [`entry 1 ${text}`], extra: [text] });
    expect(faultsOf({ name: '😀' })).toEqual({});
  });

  it('OP-07 keeps __proto__ as data', () => {
    const body: object = JSON.parse(
      '{"name":"x","parameters":{"__proto__":{"polluted":true}},"__proto__":{"y":1}}',
    );
    const read = reader.read(body, false, new Map());
    expect(JSON.stringify(read)).toBe('{"name":"x","parameters":{"__proto__":{"polluted":true}}}');
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('reports at most a hundred faults', () => {
    class Many {
      @IsString({ each: true }) readonly entries: readonly string[];
    }
    const faults: Faults = new Map();
    bodyReader(Many).read({ entries: Array.from({ length: 100_000 }, () => 1) }, false, faults);
    expect([...faults]).toEqual([['entries', expect.any(Array)]]);
    expect(faults.get('entries')).toHaveLength(100);
  });

  it('is refused by its compiled schema exactly if there is a fault to report', () => {
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom(
        '2026-01-05',
        '2026-01-05T10:00:00Z',
        'weekly',
        'Tier 1',
        '',
        ' ',
        'abc',
        1,
        2,
        2 ** 60,
      ),
      fc.array(fc.oneof(fc.integer({ min: -1, max: 3 }), fc.constantFrom('ab', 'long!', null))),
      fc.array(
        fc.record({ domain: fc.oneof(fc.string(), fc.integer()), tier: fc.constantFrom('Tier 1', 'x') }),
      ),
      fc.record({ cadence: fc.constantFrom('weekly', 'daily', null) }),
    );
    const names = Object.keys(Object(reader.schema['properties']));
    let refused = 0;
    let accepted = 0;
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names, 'other'), value), (body) => {
        const faults: Faults = new Map();
        // throws if the schema refuses and no fault is found
        const read = reader.read({ name: 'x', ...body }, false, faults);
        if (read === null) refused += 1;
        else accepted += 1;
      }),
      { numRuns: 2_000, seed: 7 },
    );
    expect(Math.min(refused, accepted)).toBeGreaterThan(100);
  });
});

describe('a body class', () => {
  it('becomes JSON Schema 2020-12', () => {
    expect(reader.schema).toMatchObject({
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 5 },
        label: { type: ['string', 'null'], pattern: SOMETHING_VISIBLE },
        tier: { type: 'integer', minimum: 1, maximum: 3 },
        persona_ids: {
          type: 'array',
          minItems: 1,
          uniqueItems: true,
          items: { type: 'integer', minimum: 1 },
        },
        schedule: { type: ['object', 'null'], required: ['cadence'] },
        accounts: { type: 'array', maxItems: 3, items: { type: 'object' } },
        parameters: { type: 'object' },
        extra: {},
        day: { type: 'string', format: 'date' },
      },
    });
  });

  it('refuses an empty body with its own message, if nothing else is wrong', () => {
    @NeedsSomeField('Send something.')
    class Change {
      @IsOptional() @IsString() readonly name?: string;
      @IsOptional() @IsNullable() @IsInt() readonly tier?: number | null;
    }
    const changes = bodyReader(Change);
    const asked = (body: object) => readWith(changes, body);
    expect(asked({})).toEqual([null, {}]);
    expect(asked({ unknown: 1 })).toEqual([null, {}]);
    expect(changes.detail).toBe('Send something.');
    expect(asked({ tier: null })).toEqual([{ tier: null }, {}]);
    expect(asked({ name: 1 })).toEqual([null, { name: ['must be a string'] }]);
    expect(changes.schema['anyOf']).toMatchObject([{ required: ['name'] }, { required: ['tier'] }]);
  });

  it('requires exactly one of some fields, after all other checks, and reports one fault for the first of them', () => {
    @NeedsExactlyOneOf('id', 'domain')
    class Target {
      @IsOptional() @IsId() readonly id?: number;
      @IsOptional() @IsString() readonly domain?: string;
      @IsOptional() @IsBoolean() readonly again?: boolean;
    }
    const targets = bodyReader(Target);
    const asked = (body: object) => readWith(targets, body);
    const message = ['exactly one of id, domain is needed'];
    expect(asked({ again: true })).toEqual([null, { id: message }]);
    expect(asked({ id: 1, domain: 'a.com' })).toEqual([null, { id: message }]);
    expect(asked({ again: 1 })).toEqual([null, { again: ['must be true or false'] }]);
    expect(asked({ domain: '\0', id: 1 })).toEqual([
      null,
      { domain: ['must not contain NUL characters or lone surrogates'] },
    ]);
    expect(asked({ domain: 'a.com', again: true })).toEqual([{ domain: 'a.com', again: true }, {}]);
  });

  it('fails at start, naming class and property, for an unknown decorator', () => {
    class Shouting {
      @IsUppercase() readonly word: string;
    }
    expect(() => bodyReader(Shouting)).toThrow('Shouting.word: the decorator isUppercase is not understood');
  });

  it('fails at start for contradictory rules and rules that cannot be executed', () => {
    class Contradiction {
      @IsString() @Min(1) readonly size: string;
    }
    class Nameless {
      @ValidateNested() readonly schedule: Schedule;
    }
    class Unchecked {
      @Type(() => Schedule) @IsFreeObject() readonly schedule: Schedule;
    }
    class Chosen {
      @ValidateNested()
      @Type(() => Schedule, {
        discriminator: { property: 'kind', subTypes: [{ value: Account, name: 'account' }] },
      })
      readonly schedule: Schedule;
    }
    class Flagged {
      @Matches(/x/i) readonly key: string;
    }
    class Untyped {
      @IsOptional() @Matches(/x/) @IsInt() readonly key?: string;
    }
    class Trap {
      @IsString() readonly hasOwnProperty: never;
    }
    @NeedsExactlyOneOf('size', 'weight')
    class Needy {
      @IsString() readonly size: string;
    }
    class NeedyInside {
      @ValidateNested() @Type(() => Needy) readonly needy: Needy;
    }
    for (const [type, fault] of [
      [Needy, 'Needy: needs weight, which it does not declare'],
      [NeedyInside, 'NeedyInside.needy: what a body needs is said of whole bodies'],
      [Contradiction, 'Contradiction.size: Min and Max are for numbers'],
      [Nameless, 'Nameless.schedule: ValidateNested does not say of which class: add Type'],
      [Unchecked, 'Unchecked.schedule: Type alone checks nothing: add ValidateNested'],
      [Chosen, 'Chosen.schedule: Type takes one class, no discriminator'],
      [Flagged, 'Flagged.key: Matches takes a regular expression without flags'],
      [Untyped, 'Untyped.key'],
      [Trap, 'Trap.hasOwnProperty: not a usable name'],
    ] as const)
      expect(() => bodyReader(type)).toThrow(fault);
  });
});
