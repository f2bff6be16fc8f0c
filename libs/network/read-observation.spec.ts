import { readObservation } from './read-observation.js';

const read = (line: unknown) => readObservation(line).observation;

describe('readObservation', () => {
  it('OPS-10 reads a person', () => {
    const person = read({
      kind: 'person',
      ref: 'p:ana-roy',
      rev: 3,
      handle: '@Ana-Roy',
      first_name: 'Ana',
      geo: { city: 'Paris', region: null, country: 'France', country_code: 'fr' },
      experiences: [{ title: 'VP Sales', company_ref: 'c:acme', start_date: '2024-03', end_date: null }],
      observed_at: '2026-01-02T08:00:00Z',
      likes: 'cats',
    });
    expect(person).toEqual({
      kind: 'person',
      ref: 'p:ana-roy',
      rev: 3,
      handle: 'ana-roy',
      firstName: 'Ana',
      lastName: null,
      headline: null,
      about: null,
      avatarUrl: null,
      email: null,
      phone: null,
      geo: { city: 'Paris', region: null, country: 'France', countryCode: 'FR' },
      experiences: [
        {
          title: 'VP Sales',
          companyRef: 'c:acme',
          companyName: null,
          startDate: '2024-03',
          endDate: null,
          department: null,
          seniority: null,
          location: null,
        },
      ],
      observedAt: '2026-01-02T08:00:00.000Z',
    });
  });

  it('OP-71 requires only kind and ref, and takes rev 1 if none is given', () => {
    for (const kind of ['post', 'comment', 'reaction', 'job_posting', 'headcount', 'company_event']) {
      expect(read({ kind, ref: 'x:1' })).toMatchObject({ kind, ref: 'x:1', rev: 1 });
    }
    for (const handle of [undefined, null, ''])
      expect(read({ kind: 'person', ref: 'p:1', handle })).toMatchObject({ ref: 'p:1', handle: null });
    expect(read({ kind: 'company', ref: 'c:1', domains: ['https://www.Acme.com/'] })).toMatchObject({
      handle: null,
      domains: ['acme.com'],
      locations: [],
    });
  });

  it('puts headquarters first', () => {
    const company = read({
      kind: 'company',
      ref: 'c:1',
      handle: 'acme',
      locations: [{ city: 'Lyon' }, { city: 'Paris', is_hq: true, latitude: 48.9 }],
    });
    expect(company).toMatchObject({
      locations: [
        { city: 'Paris', latitude: 48.9 },
        { city: 'Lyon', isHq: false },
      ],
    });
  });

  it('reads missing entities by domain, by handle and by URL', () => {
    const base = { kind: 'missing', ref: 'x:1' };
    expect(read({ ...base, domain: 'Nope.example' })).toMatchObject({ domain: 'nope.example', handle: null });
    expect(read({ ...base, handle: 'gone' })).toMatchObject({ domain: null, handle: 'gone', entity: null });
    expect(read({ ...base, network_url: 'n.example/company/gone' })).toMatchObject({
      handle: 'gone',
      entity: 'company',
    });
  });

  const times: readonly (readonly [string, string])[] = [
    ['2026-01-03T09:00:00Z', '2026-01-03T09:00:00.000Z'],
    ['2026-01-03T09:00:00.1239+02:00', '2026-01-03T07:00:00.123Z'],
    ['2026-01-03T09:00:00', '2026-01-03T09:00:00.000Z'],
    ['2026-01-03', '2026-01-03T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
  ];
  for (const [given, stored] of times) {
    it(`OP-08 reads ${given} as ${stored}`, () => {
      expect(read({ kind: 'post', ref: 'post:1', published_at: given })).toMatchObject({
        publishedAt: stored,
      });
    });
  }

  const refused: readonly (readonly [message: string, line: unknown])[] = [
    ['the line must be a JSON object', []],
    ['the line must be a JSON object', null],
    ['kind must be one of', { ref: 'x' }],
    ['kind must be one of', { kind: 'constructor', ref: 'x' }],
    ['kind must be a string', { kind: 1, ref: 'x' }],
    ['ref is required', { kind: 'post' }],
    ['ref must have 1 to 500 characters', { kind: 'post', ref: '' }],
    ['ref must have 1 to 500 characters', { kind: 'post', ref: 'x'.repeat(501) }],
    ['ref must be a string', { kind: 'post', ref: 7 }],
    ['rev must be a whole number of at least 1', { kind: 'post', ref: 'x', rev: 0 }],
    ['rev must be a whole number of at least 1', { kind: 'post', ref: 'x', rev: 1.5 }],
    ['rev must be a whole number of at least 1 or "auto"', { kind: 'post', ref: 'x', rev: '1' }],
    ['handle must be a handle without spaces', { kind: 'person', ref: 'x', handle: 'a b' }],
    ['handle or domains is required', { kind: 'company', ref: 'x', domains: [] }],
    ['domains must be an array', { kind: 'company', ref: 'x', domains: 'acme.com' }],
    ['domains.1 must be a domain', { kind: 'company', ref: 'x', domains: ['acme.com', 'acme'] }],
    ['employees must be a whole number', { kind: 'company', ref: 'x', handle: 'a', employees: -1 }],
    ['locations.0.is_hq must be true', { kind: 'company', ref: 'x', handle: 'a', locations: [{ is_hq: 1 }] }],
    ['locations.0 must be a JSON object', { kind: 'company', ref: 'x', handle: 'a', locations: ['Paris'] }],
    ['geo.city must be a string', { kind: 'person', ref: 'x', handle: 'a', geo: { city: 5 } }],
    [
      'experiences.0.start_date must be a date',
      { kind: 'person', ref: 'x', handle: 'a', experiences: [{ start_date: '2024-13' }] },
    ],
    ['text must be a string', { kind: 'post', ref: 'x', text: ['a'] }],
    ['text must not contain', { kind: 'post', ref: 'x', text: 'a\ud800' }],
    ['text must not contain', { kind: 'post', ref: 'x', text: 'a\u0000' }],
    ['published_at must be a date-time', { kind: 'post', ref: 'x', published_at: '2026-02-30T00:00:00Z' }],
    ['published_at must be a date-time', { kind: 'post', ref: 'x', published_at: '2026-01-03T25:00:00Z' }],
    ['published_at must be a date-time', { kind: 'post', ref: 'x', published_at: 'yesterday' }],
    ['published_at must be a date-time', { kind: 'post', ref: 'x', published_at: 1767430800000 }],
    ['fields must be a JSON object', { kind: 'company_event', ref: 'x', fields: [] }],
    ['fields.a.0 must not contain', { kind: 'company_event', ref: 'x', fields: { a: ['\udc00'] } }],
    ['is nested deeper than 20 levels', { kind: 'company_event', ref: 'x', fields: nested(25) }],
    ['domain or handle or network_url is required', { kind: 'missing', ref: 'x' }],
    ['network_url must be the URL', { kind: 'missing', ref: 'x', network_url: 'n.example/posts/1' }],
    ['domain is required', { kind: 'alias', ref: 'x', company_refs: ['c:1'] }],
    ['company_refs.0 must be a string', { kind: 'alias', ref: 'x', domain: 'a.example', company_refs: [1] }],
  ];
  for (const [message, line] of refused) {
    it(`refuses ${JSON.stringify(line).slice(0, 70)}: ${message}`, () => {
      expect(() => read(line)).toThrow(message);
    });
  }

  it('reports all faults of a line at once, each member by its path and once', () => {
    const company = {
      kind: 'company',
      rev: 0,
      handle: 'a b',
      domains: ['acme.com', 'acme', 7],
      employees: '12',
      locations: [{ is_hq: 'yes', city: 5 }, 'Paris'],
    };
    expect(() => read(company)).toThrow(
      [
        'ref is required',
        'rev must be a whole number of at least 1 or "auto"',
        'handle must be a handle without spaces',
        'domains.1 must be a domain',
        'domains.2 must be a string',
        'employees must be a number',
        'locations.0.is_hq must be true or false',
        'locations.0.city must be a string',
        'locations.1 must be a JSON object',
      ].join('; '),
    );
    expect(() => read({ kind: 'tweet', ref: 5, rev: 'x' })).toThrow(
      /^kind must be one of company, .*; ref must be a string; rev must be a whole number of at least 1 or "auto"$/,
    );
    const deep = {
      kind: 'company_event',
      ref: 'x',
      fields: { a: '\ud800', b: ['\u0000'] },
      occurred_at: 'now',
    };
    expect(() => read(deep)).toThrow(
      /^fields\.a must not contain .*; fields\.b\.0 must not contain .*; occurred_at must be a date-time such as/,
    );
  });

  it('keeps a line whose address is not http or https, without the address, and reports it', () => {
    const addresses: readonly [string, string, object][] = [
      ['company', 'logo_url', { handle: 'acme' }],
      ['person', 'avatar_url', { handle: 'ana-roy' }],
      ['post', 'url', {}],
      ['comment', 'url', {}],
      ['job_posting', 'url', {}],
    ];
    const shown: Readonly<Record<string, string>> = { logo_url: 'logoUrl', avatar_url: 'avatarUrl' };
    for (const [kind, field, others] of addresses) {
      const name = shown[field] ?? field;
      for (const address of [
        'javascript:alert(1)',
        ' https://a.example',
        'data:text/html,x',
        '//a.example',
        'a.example',
        'https://',
      ]) {
        const { observation, notes } = readObservation({ kind, ref: 'x', ...others, [field]: address });
        expect(observation).toMatchObject({ kind, [name]: null });
        expect(notes).toEqual([`${field} is not an http or https address and was left out`]);
      }
      for (const address of ['https://a.example/b?c=d', 'HTTP://a.example'])
        expect(readObservation({ kind, ref: 'x', ...others, [field]: address })).toMatchObject({
          observation: { [name]: address },
          notes: [],
        });
    }
  });

  it('leaves an invalid address out of event fields, and keeps the other fields', () => {
    const event = (fields: object) => readObservation({ kind: 'company_event', ref: 'x', fields });
    expect(event({ url: 'javascript:1', round: 'seed' })).toMatchObject({
      observation: { fields: { url: null, round: 'seed' } },
      notes: ['fields.url is not an http or https address and was left out'],
    });
    for (const fields of [{ url: 'https://a.example' }, { url: 7 }, { round: 'seed' }])
      expect(event(fields)).toMatchObject({ observation: { fields }, notes: [] });
  });

  it('OP-71 cuts texts over 64 KiB at a whole character and reports it', () => {
    const cut = readObservation({ kind: 'post', ref: 'x', text: `${'é'.repeat(32_767)}a系统` });
    expect(cut.notes).toEqual(['text was cut to 65536 bytes']);
    expect(cut.observation).toMatchObject({ text: `${'é'.repeat(32_767)}a` });
    const whole = readObservation({ kind: 'post', ref: 'x', text: 'a'.repeat(65_536) });
    expect(whole).toMatchObject({ notes: [], observation: { text: 'a'.repeat(65_536) } });
  });
});

function nested(levels: number): unknown {
  return levels === 0 ? {} : { a: nested(levels - 1) };
}
