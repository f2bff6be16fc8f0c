import type { ListKind } from './list.events.js';
import {
  claimedIdentity,
  identifiersOf,
  judge,
  lookupOf,
  type LookupAnswer,
  type MemberRow,
} from './member-admission.js';

const BASE_URL = 'https://www.network.example';
const rowOf = (row: Partial<Omit<MemberRow, 'input'>>): MemberRow => ({
  input: { sent: true },
  networkUrl: null,
  networkHandle: null,
  domain: null,
  company: null,
  ...row,
});
const askedOf = (kind: ListKind, row: Partial<MemberRow>) => identifiersOf([lookupOf(kind, rowOf(row))]);
const judged = (kind: ListKind, row: Partial<MemberRow>, ...answers: LookupAnswer[]) =>
  judge([lookupOf(kind, rowOf(row))], answers, BASE_URL)[0];
const UNKNOWN = { outcome: 'unknown' } as const;
const acme = {
  handle: 'acme',
  networkUrl: `${BASE_URL}/company/acme`,
  domains: ['acme.com'],
  name: 'Acme',
  logoUrl: 'https://acme.com/logo.png',
};

describe('the identifier of a row (OP-10)', () => {
  it('SUP-17 prefers the network URL to the handle, and the handle to the domain', () => {
    const all = { networkUrl: 'network.example/company/one', networkHandle: 'two', domain: 'three.com' };
    const domain = { by: 'domain', domain: 'three.com' };
    expect(askedOf('company', all)).toEqual([{ by: 'handle', handle: 'one', entity: 'company' }, domain]);
    expect(askedOf('company', { ...all, networkUrl: null })).toEqual([
      { by: 'handle', handle: 'two', entity: null },
      domain,
    ]);
    expect(askedOf('company', { domain: 'https://www.three.com/x' })).toEqual([domain]);
  });

  it('is not looked up if it is unusable', () => {
    expect(askedOf('company', { domain: 'nodot' })).toEqual([]);
    expect(askedOf('profile', { networkUrl: 'https://network.example/jobs/1' })).toEqual([]);
  });
});

describe('the verdict on a row (OP-45)', () => {
  const refusedAs = (code: string) => ({ admitted: false, error: { input: { sent: true }, code } });

  it('MEM-11 MEM-12 rejects an unusable identifier: a domain without a dot, a URL without a handle', () => {
    expect(judged('company', { domain: 'acme' })).toMatchObject(refusedAs('invalid_identifier'));
    expect(judged('company', { networkUrl: 'https://network.example/company/' })).toMatchObject(
      refusedAs('invalid_identifier'),
    );
  });

  it('MEM-07 MEM-08 MEM-09 MEM-10 rejects a row of the wrong kind', () => {
    const wrong = { outcome: 'wrong_kind' } as const;
    expect(judged('company', { networkUrl: 'network.example/in/ana' }, wrong)).toMatchObject(
      refusedAs('wrong_entity_type'),
    );
    expect(judged('profile', { domain: 'nodot' }, wrong)).toMatchObject(refusedAs('wrong_entity_type'));
    expect(judged('profile', { networkHandle: 'acme' }, wrong)).toMatchObject(refusedAs('wrong_entity_type'));
  });

  it('MEM-14 rejects an identifier of several companies', () => {
    expect(judged('company', { domain: 'group.com' }, { outcome: 'ambiguous' })).toMatchObject(
      refusedAs('multiple_domain_matches'),
    );
  });

  it('MEM-15 MEM-16 rejects an identifier that is not on the network, with different messages for a domain and a handle', () => {
    const missing = { outcome: 'missing' } as const;
    expect(judged('company', { domain: 'gone.invalid' }, missing)).toMatchObject(refusedAs('lookup_failed'));
    expect(judged('company', { networkHandle: 'gone' }, missing, UNKNOWN)).toMatchObject(
      refusedAs('resolution_failed'),
    );
  });

  it('gives a found member the facts of the network, bounded in length', () => {
    const facts = { ...acme, name: 'x'.repeat(300), logoUrl: `https://acme.com/${'x'.repeat(2_048)}` };
    expect(judged('company', { domain: 'acme.com' }, { outcome: 'found', facts })).toEqual({
      admitted: true,
      candidate: { ...acme, name: 'x'.repeat(255), logoUrl: null },
    });
    const longest = { ...acme, logoUrl: `https://acme.com/${'x'.repeat(2_031)}` };
    expect(judged('company', { domain: 'acme.com' }, { outcome: 'found', facts: longest })).toEqual({
      admitted: true,
      candidate: longest,
    });
  });

  it('accepts a member without any observation as named', () => {
    expect(judged('profile', { networkHandle: '@Ana' }, UNKNOWN)).toEqual({
      admitted: true,
      candidate: {
        handle: 'ana',
        networkUrl: `${BASE_URL}/in/ana`,
        domains: [],
        name: null,
        logoUrl: null,
      },
    });
    expect(judged('company', { domain: 'acme.com' }, UNKNOWN)).toMatchObject({
      candidate: { handle: null, networkUrl: null, domains: ['acme.com'] },
    });
  });

  it('keeps a domain beside a handle unless it belongs to another company', () => {
    const row = { networkHandle: 'acme', domain: 'acme.com' };
    expect(judged('company', row, UNKNOWN, UNKNOWN)).toMatchObject({ candidate: { domains: ['acme.com'] } });
    const other = { outcome: 'found', facts: { ...acme, handle: 'other' } } as const;
    expect(judged('company', row, UNKNOWN, other)).toMatchObject({ candidate: { domains: [] } });
  });

  it('MEM-29 keeps a domain beside the handle of an observed company unless it belongs to another company', () => {
    const row = { networkHandle: 'acme', domain: 'acme.io' };
    const found = { outcome: 'found', facts: acme } as const;
    expect(judged('company', row, found, UNKNOWN)).toMatchObject({
      candidate: { handle: 'acme', domains: ['acme.com', 'acme.io'] },
    });
    const other = { outcome: 'found', facts: { ...acme, handle: 'other', domains: ['acme.io'] } } as const;
    expect(judged('company', row, found, other)).toMatchObject({ candidate: { domains: ['acme.com'] } });
    const many = Array.from({ length: 30 }, (_, index) => `acme-${index}.example`);
    const verdict = judged('company', row, { ...found, facts: { ...acme, domains: many } }, UNKNOWN);
    expect(verdict).toMatchObject({ candidate: { domains: [...many.slice(0, 24), 'acme.io'] } });
  });

  it('assigns each answer to its own row, in order', () => {
    const lookups = [
      { networkHandle: 'one', domain: 'one.com' },
      { domain: 'nodot' },
      { domain: 'acme.com' },
    ].map((row) => lookupOf('company', rowOf(row)));
    const verdicts = judge(lookups, [UNKNOWN, UNKNOWN, { outcome: 'found', facts: acme }], BASE_URL);
    expect(verdicts).toMatchObject([
      { candidate: { handle: 'one', domains: ['one.com'] } },
      { error: { code: 'invalid_identifier' } },
      { candidate: acme },
    ]);
  });

  it('MEM-21 keeps the employer given with a champion', () => {
    const company = { name: 'Acme', domain: null };
    expect(judged('profile', { networkHandle: 'ana', company }, UNKNOWN)).toMatchObject({
      candidate: { baselineCompany: company },
    });
  });
});

describe('the identity of a row without a look-up', () => {
  it('is its first identifier', () => {
    const claimed = (row: Partial<MemberRow>) => claimedIdentity(lookupOf('company', rowOf(row)));
    expect(claimed({ networkHandle: 'acme', domain: 'acme.com' })).toEqual({ handle: 'acme', domains: [] });
    expect(claimed({ domain: 'acme.com' })).toEqual({ handle: null, domains: ['acme.com'] });
    expect(claimed({ domain: 'nodot' })).toBeNull();
  });
});
