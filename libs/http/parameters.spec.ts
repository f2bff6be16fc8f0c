import { endOf, parseInstant } from '#kernel/values/instants.js';
import type { Faults } from '#kernel/values/faults.js';
import {
  booleanQuery,
  idParam,
  idQuery,
  limitQuery,
  offsetPage,
  oneOfQuery,
  someOfQuery,
  textListQuery,
  textQuery,
  type QueryParameter,
  type RawQuery,
} from './parameters.js';

function read<Value>(parameter: QueryParameter<Value>, raw: RawQuery) {
  const faults: Faults = new Map();
  const value = parameter.read('it', raw, faults);
  return faults.size === 0 ? { value } : Object.fromEntries(faults);
}

describe('page and page_size', () => {
  const paging = offsetPage({ size: 10, maximum: 25, invalid: 422 });

  it('PAG-03 PAG-11 have defaults', () => {
    expect(read(paging, {})).toEqual({ value: { page: 1, pageSize: 10, skip: 0 } });
    expect(read(paging, { page: '3', page_size: '25' })).toEqual({
      value: { page: 3, pageSize: 25, skip: 50 },
    });
  });

  it('PAG-07 PAG-09 PAG-10 refuse every other value, both parameters at once', () => {
    expect(read(paging, { page: '0', page_size: '26' })).toEqual({
      page: ['must be at least 1'],
      page_size: ['must be at most 25'],
    });
    for (const page of ['-1', '1.5', 'abc', '', ' 1', '01', '+1', '1e1', '0x1', '9'.repeat(30), '１']) {
      expect(Object.keys(read(paging, { page }))).toEqual(['page']);
    }
    expect(read(paging, { page: ['1', '2'] })).toEqual({ page: ['must be given once'] });
  });

  it('OP-04 support pages up to 2^53', () => {
    expect(read(paging, { page: String(Number.MAX_SAFE_INTEGER), page_size: '25' })).toEqual({
      value: { page: Number.MAX_SAFE_INTEGER, pageSize: 25, skip: Number.MAX_SAFE_INTEGER },
    });
  });
});

describe('a query parameter', () => {
  it('CUR-01 limit is 1 to 100, 25 when absent', () => {
    const limit = limitQuery();
    expect(read(limit, {})).toEqual({ value: 25 });
    expect(read(limit, { it: '100' })).toEqual({ value: 100 });
    for (const text of ['0', '101', '1.5', 'x', ''])
      expect(Object.keys(read(limit, { it: text }))).toEqual(['it']);
  });

  it('OP-65 boolean accepts only true, false, 1 and 0', () => {
    const boolean = booleanQuery(400);
    expect(['true', '1', 'false', '0'].map((it) => read(boolean, { it }))).toEqual(
      [true, true, false, false].map((value) => ({ value })),
    );
    expect(read(boolean, {})).toEqual({ value: false });
    for (const it of ['TRUE', 'yes', '2', '']) expect(Object.keys(read(boolean, { it }))).toEqual(['it']);
  });

  it('text and lists refuse the empty string, NUL and excess length', () => {
    const text = textQuery({ maximum: 3, invalid: 400 });
    expect(read(text, {})).toEqual({ value: null });
    expect(read(text, { it: '😀😀😀' })).toEqual({ value: '😀😀😀' });
    expect(read(text, { it: '' })).toEqual({ it: ['must not be empty'] });
    expect(read(text, { it: 'a\0' })).toEqual({ it: ['must not contain NUL characters or lone surrogates'] });
    expect(read(text, { it: 'abcd' })).toEqual({ it: ['must contain at most 3 characters'] });
    expect(read(textQuery({ maximum: 3, invalid: 422, empty: true }), { it: '' })).toEqual({ value: '' });
    const list = textListQuery({ count: 3, maximum: 5, invalid: 400 });
    expect(read(list, { it: ['a, b', 'c'] })).toEqual({ value: ['a', 'b', 'c'] });
    expect(read(list, { it: 'a,b,c,d' })).toEqual({ it: ['must contain at most 3 entries'] });
    expect(read(list, { it: 'a,,b' })).toEqual({ it: ['must not be empty'] });
  });

  it('words are limited to the declared ones', () => {
    const one = oneOfQuery({ values: ['concise', 'normalized'], otherwise: 'normalized', invalid: 422 });
    expect(read(one, {})).toEqual({ value: 'normalized' });
    expect(read(one, { it: 'brief' })).toEqual({ it: ['must be one of concise, normalized'] });
    const some = someOfQuery(['a', 'b'], 400);
    expect(read(some, { it: ['b', 'a', 'b'] })).toEqual({ value: ['a', 'b'] });
    expect(read(some, { it: ['a', ''] })).toEqual({ it: ['must be one of a, b'] });
    expect(read(some, {})).toEqual({ value: null });
  });

  it('id is an integer of at least 1', () => {
    expect(read(idQuery(422), { it: '12' })).toEqual({ value: 12 });
    expect(read(idQuery(422), { it: '0' })).toEqual({ it: ['must be at least 1'] });
  });
});

describe('an id in the path', () => {
  it('OP-01 CONV-09 is 1 to 16 digits without leading zero; above 2^53 it is unknown', () => {
    const id = idParam(400);
    expect(id.read('9007199254740991')).toEqual({ value: Number.MAX_SAFE_INTEGER });
    expect(id.read('9007199254740992')).toBe('unknown');
    expect(id.read('9999999999999999')).toBe('unknown');
    for (const text of ['0', '01', '-1', '1.0', '1e3', 'abc', '', ' 1', '1'.repeat(17)]) {
      expect(id.read(text)).toBe('invalid');
    }
  });
});

describe('an instant', () => {
  it('OP-08 is a date or an RFC 3339 timestamp, UTC without offset', () => {
    const iso = (text: string) => parseInstant(text)?.at.toISOString();
    expect(iso('2026-01-05')).toBe('2026-01-05T00:00:00.000Z');
    expect(iso('2026-01-05T10:00:00Z')).toBe('2026-01-05T10:00:00.000Z');
    expect(iso('2026-01-05T10:00:00')).toBe('2026-01-05T10:00:00.000Z');
    expect(iso('2026-01-05t10:00:00.123456+02:30')).toBe('2026-01-05T07:30:00.123Z');
    expect(iso('2024-02-29')).toBe('2024-02-29T00:00:00.000Z');
    const notOfCalendar = ['2026-02-30', '2025-02-29', '2026-13-01', '2026-01-05T24:00:00Z'];
    const otherForms = ['2026-1-5', '05.01.2026', '2026-01-05T10:00Z', '2026-01-05 10:00:00', 'now', ''];
    for (const text of [...notOfCalendar, ...otherForms, '0000-01-01T00:00:00+01:00']) {
      expect(parseInstant(text)).toBeNull();
    }
  });

  it('OP-08 a leap second is the first second of the next day, and no other minute has a second 60', () => {
    const iso = (text: string) => parseInstant(text)?.at.toISOString();
    expect(iso('2016-12-31T23:59:60Z')).toBe('2017-01-01T00:00:00.000Z');
    expect(iso('2016-12-31T23:59:60.25Z')).toBe('2017-01-01T00:00:00.250Z');
    expect(iso('2017-01-01T05:29:60+05:30')).toBe('2017-01-01T00:00:00.000Z');
    for (const text of [
      '2016-12-31T23:58:60Z',
      '2016-12-31T23:59:60+01:00',
      '2016-12-31T23:59:61Z',
      '9999-12-31T23:59:60Z',
    ])
      expect([text, parseInstant(text)]).toEqual([text, null]);
  });

  it('OP-08 a plain date as an end is its last millisecond', () => {
    const date = parseInstant('2026-01-05');
    const moment = parseInstant('2026-01-05T10:00:00Z');
    expect(date && endOf(date).toISOString()).toBe('2026-01-05T23:59:59.999Z');
    expect(moment && endOf(moment).toISOString()).toBe('2026-01-05T10:00:00.000Z');
  });
});
