import { jsonIn, MalformedAnswer, momentOf } from './answer-fields.js';

describe('a timestamp in any notation of sources', () => {
  it('is UTC with milliseconds', () => {
    const moments = {
      '2026-03-02T10:00:00Z': '2026-03-02T10:00:00.000Z',
      '2026-03-02T10:00:00.123456+01:00': '2026-03-02T09:00:00.123Z',
      '2026-03-02T10:00:00+0100': '2026-03-02T09:00:00.000Z',
      '2026-03-02T10:00Z': '2026-03-02T10:00:00.000Z',
      '2026-03-02T10:00-05:00': '2026-03-02T15:00:00.000Z',
      '2026-03-02 10:00:00 UTC': '2026-03-02T10:00:00.000Z',
      '2026-03-02': '2026-03-02T00:00:00.000Z',
      'Mon, 02 Mar 2026 10:00:00 +0100': '2026-03-02T09:00:00.000Z',
      'Mon, 2 Mar 2026 10:00:00 GMT': '2026-03-02T10:00:00.000Z',
      '02 Mar 2026 10:00 EST': '2026-03-02T15:00:00.000Z',
      'Mon, 02 Mar 2026 10:00:00 +0100 (CET)': '2026-03-02T09:00:00.000Z',
      'Mon,02 Mar 2026 10:00:00 GMT': '2026-03-02T10:00:00.000Z',
      '2 Mar 2026 10:00 PM': '2026-03-02T22:00:00.000Z',
      '28 Feb 2026 23:30 -0500': '2026-03-01T04:30:00.000Z',
      'Monday, 02-Mar-26 10:00:00 GMT': '2026-03-02T10:00:00.000Z',
      '29 Feb 2024, 10:00': '2024-02-29T10:00:00.000Z',
    };
    for (const [written, moment] of Object.entries(moments))
      expect([written, momentOf(written)]).toEqual([written, moment]);
  });

  it('OP-08 is read as UTC if it names no zone, in any zone of the machine', () => {
    const { TZ: zone } = process.env;
    try {
      for (const ofMachine of ['America/New_York', 'Asia/Tokyo']) {
        process.env['TZ'] = ofMachine;
        expect(new Date(2026, 2, 2, 10).toISOString()).not.toBe('2026-03-02T10:00:00.000Z');
        for (const written of [
          'Mon, 02 Mar 2026 10:00:00',
          '2 Mar 2026 10:00',
          'Monday, 02-Mar-26 10:00:00',
          '02 Mar 2026 10:00 AM',
          '2026-03-02 10:00:00',
          '2026-03-02T10:00',
        ])
          expect([written, momentOf(written)]).toEqual([written, '2026-03-02T10:00:00.000Z']);
      }
    } finally {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    }
  });

  it('is read as UTC if its zone is not known, as RFC 5322 has it', () => {
    for (const zone of ['CET', 'CEST', 'BST', 'JST'])
      expect([zone, momentOf(`Mon, 02 Mar 2026 10:00:00 ${zone}`)]).toEqual([
        zone,
        '2026-03-02T10:00:00.000Z',
      ]);
  });

  it('is null for text that only looks like one', () => {
    for (const written of [
      null,
      '',
      'yesterday',
      'May',
      '2026',
      '2026-02-30',
      '1767430800000',
      'job 12',
      '2026-13-01T00:00:00Z',
      'Mon, 31 Feb 2026 10:00:00 GMT',
      '31 Apr 2026 10:00 +0200',
    ])
      expect([written, momentOf(written)]).toEqual([written, null]);
  });
});

describe('the JSON of an answer', () => {
  it('names the received text if it is not JSON', () => {
    expect(jsonIn('{"a":1}')).toEqual({ a: 1 });
    expect(() => jsonIn('<!DOCTYPE html><html>')).toThrow(
      new MalformedAnswer('answered HTML or XML and no JSON'),
    );
    expect(() => jsonIn('{"a":')).toThrow(new MalformedAnswer('answered no JSON'));
  });
});
