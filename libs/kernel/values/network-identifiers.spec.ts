import { networkUrl, parseDomain, parseHandle, parseNetworkUrl } from './network-identifiers.js';

const person = (handle: string) => ({ by: 'handle', handle, entity: 'person' });
const company = (handle: string) => ({ by: 'handle', handle, entity: 'company' });

describe('parseNetworkUrl (OP-10)', () => {
  const read: readonly (readonly [string, unknown])[] = [
    ['https://www.network.example/in/ana-roy', person('ana-roy')],
    ['http://network.example/in/Ana-Roy/', person('ana-roy')],
    ['fr.network.example/pub/ana-roy?trk=x#about', person('ana-roy')],
    ['//network.example/people/ana', person('ana')],
    ['HTTPS://NETWORK.EXAMPLE:8443/PROFILE/ana', person('ana')],
    ['network.example/person/ana/details/skills', person('ana')],
    ['network.example/in/jos%C3%A9', person('josé')],
    ['network.example/in/jose%CC%81', person('josé')],
    ['network.example//company//acme//', company('acme')],
    ['network.example/companies/acme', company('acme')],
    ['network.example/school/mit', company('mit')],
    ['network.example/showcase/acme-labs', company('acme-labs')],
    ['network.example/organization/123', company('123')],
    ['https://network/company/acme', company('acme')],
    ['//network/company/acme', company('acme')],
    ['http://localhost:8080/in/ana', person('ana')],
    ['http://127.0.0.1:8080/in/ana', person('ana')],
    ['http://[::1]:8080/in/ana', person('ana')],
  ];
  for (const [text, identifier] of read) {
    it(`reads ${text}`, () => expect(parseNetworkUrl(text)).toEqual(identifier));
  }
  const refused = [
    '',
    'network.example',
    'network.example/in',
    'network.example/in/',
    'network.example/posts/1',
    'network.example/in/a%20b',
    'network.example/in/a%2Fb',
    'network.example/in/%E0%A4',
    'network.example/in/%00',
    `network.example/in/${'a'.repeat(201)}`,
    'javascript:alert(1)//in/x',
    'ftp://network.example/in/x',
    'user@network.example/in/x',
    'localhost/in/x',
    'https://user@network/in/x',
    'https://user:secret@network/in/x',
    'https://net work/in/x',
    'https://network\\in/in/x',
    'https://network:port/in/x',
    'https:///in/x',
    '/in/ana',
    'net work.example/in/ana',
    'network.example/in/\ud800',
    'network.example/in/.',
    'network.example/in/../company/acme',
    'network.example/company/%2E%2e',
  ];
  for (const text of refused) {
    it(`refuses "${text.slice(0, 40)}"`, () => expect(parseNetworkUrl(text)).toBeNull());
  }
});

describe('parseHandle (OP-10)', () => {
  it('removes a leading @ and converts to lower case', () => {
    expect(parseHandle('@Ana-Roy')).toEqual({ by: 'handle', handle: 'ana-roy', entity: null });
    expect(parseHandle('a.b')).toEqual({ by: 'handle', handle: 'a.b', entity: null });
    expect([parseHandle('.'), parseHandle('@..')]).toEqual([null, null]);
  });

  it('OP-10 names the same page in every form, also if it is sent as it was answered', () => {
    for (const text of [
      'acme',
      '@acme',
      '@@acme',
      'https://n.example/company/@acme',
      'n.example/in/%40Acme',
    ]) {
      expect([text, (parseHandle(text) ?? parseNetworkUrl(text))?.handle]).toEqual([text, 'acme']);
    }
    expect(parseNetworkUrl('https://n.example/company/@')).toBeNull();
  });
  it('reads a URL sent as handle', () => {
    expect(parseHandle('https://network.example/company/Acme/')).toEqual(company('acme'));
  });
  for (const text of ['', '@', 'ana roy', ' ana', 'a/b', 'ana\u0000']) {
    it(`refuses ${JSON.stringify(text)}`, () => expect(parseHandle(text)).toBeNull());
  }
});

describe('identifiers that are too long in any form', () => {
  it('are refused without being normalized or converted', () => {
    const marks = `a${'\u0316\u0301'.repeat(15)}`.repeat(60);
    const parse = [parseHandle, (text: string) => parseNetworkUrl(`n.example/in/${text}`), parseDomain];
    // Normalized, this takes minutes, longer than a file of specs may.
    for (const one of parse) {
      let count = 0;
      while (count < 100_000 && one(marks) === null) count += 1;
      expect(count).toBe(100_000);
    }
  });

  it('are those above the limit: a text that becomes short enough is read', () => {
    const four = '\u03b1\u0313\u0300\u0345';
    expect(parseHandle(four.repeat(200))?.handle).toBe('\u1f82'.repeat(200));
    expect(parseHandle(four.repeat(201))).toBeNull();
  });
});

describe('parseHandle of a long text', () => {
  it('takes time in proportion to its length, whatever marks it has', () => {
    // In quadratic time this takes minutes, longer than a file of specs may.
    expect(parseHandle(`a${'\u0301\u0316'.repeat(600_000)}`)).toBeNull();
  });
});

describe('parseDomain (OP-10)', () => {
  const read: readonly (readonly [string, string])[] = [
    ['acme.com', 'acme.com'],
    ['https://www.Acme.com:443/about?x=1', 'acme.com'],
    ['//www.acme.co.uk', 'acme.co.uk'],
    ['www.acme.com', 'acme.com'],
    ['www.com', 'www.com'],
    ['acme.com.', 'acme.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['BÜCHER.example', 'xn--bcher-kva.example'],
    ['nope.invalid', 'nope.invalid'],
  ];
  for (const [text, domain] of read) {
    it(`reads ${text}`, () => expect(parseDomain(text)).toEqual({ by: 'domain', domain }));
  }
  const refused = [
    '',
    'acme',
    'localhost',
    'acme .com',
    'a@acme.com',
    '-acme.com',
    'acme-.com',
    'a_b.com',
    '1.2.3.4',
  ];
  for (const text of [
    ...refused,
    '..',
    'acme..com',
    `${'a'.repeat(64)}.com`,
    `${'a.'.repeat(127)}com`,
    '[::1]',
  ]) {
    it(`refuses "${text.slice(0, 40)}"`, () => expect(parseDomain(text)).toBeNull());
  }
});

describe('networkUrl (OP-10)', () => {
  it('writes the canonical form', () => {
    expect(networkUrl('https://www.network.example/', 'person', 'ana-roy')).toBe(
      'https://www.network.example/in/ana-roy',
    );
    expect(networkUrl('https://n.example', 'company', 'josé')).toBe('https://n.example/company/jos%C3%A9');
  });

  it('OP-10 refuses invisible characters in a handle: two handles would look the same', () => {
    for (const hidden of [
      '\u200b',
      '\u200d',
      '\u2060',
      '\ufeff',
      '\u00ad',
      '\u202e',
      '\u2066',
      '\u200f',
      '\u{e0041}',
    ]) {
      expect([hidden, parseHandle(`jane${hidden}doe`)]).toEqual([hidden, null]);
      expect(parseHandle(`@jane-doe${hidden}`)).toBeNull();
      expect(parseNetworkUrl(`https://www.network.example/in/jane${hidden}doe`)).toBeNull();
      expect(parseNetworkUrl(`/in/jane${encodeURIComponent(hidden)}doe`)).toBeNull();
    }
  });
});
