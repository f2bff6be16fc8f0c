import type { CompanyFacts, PersonFacts } from '#network/network-directory.port.js';
import { observedCompanyOf, observedPersonOf } from './observed-facts.js';

const huge = '€'.repeat(20_000);
const place = { isHq: false, latitude: null, longitude: null, city: huge, region: huge, state: huge };
const location = {
  ...place,
  country: huge,
  countryCode: huge,
  postalCode: huge,
  line1: huge,
  line2: huge,
  formattedAddress: huge,
};
const company: CompanyFacts = {
  ref: 'c:acme',
  rev: 1,
  handle: 'acme',
  networkUrl: null,
  domains: ['acme.com'],
  name: huge,
  industry: huge,
  employees: null,
  employeeRange: huge,
  foundedYear: null,
  tagline: huge,
  activitySummary: huge,
  logoUrl: huge,
  locations: Array.from({ length: 500 }, () => location),
};
const job = (startDate: string) => ({
  title: huge,
  companyRef: 'c:acme',
  companyName: null,
  startDate,
  endDate: null,
  department: huge,
  seniority: huge,
  location: huge,
});
const person: PersonFacts = {
  ref: 'p:ana',
  rev: 1,
  handle: 'ana',
  networkUrl: 'https://www.network.example/in/ana',
  firstName: huge,
  lastName: huge,
  fullName: huge,
  headline: huge,
  about: huge,
  avatarUrl: huge,
  email: huge,
  phone: huge,
  geo: { city: huge, region: huge, country: huge, countryCode: huge },
  experiences: Array.from({ length: 500 }, (_, year) => job(String(1500 + year))),
  current: job('2024'),
  observedAt: null,
};

describe('what is copied of the network', () => {
  it('is bounded, whatever was observed: a company and a person fit into one append', () => {
    const copied = [observedCompanyOf(company), observedPersonOf(person, new Map([['c:acme', company]]))];
    expect(Buffer.byteLength(JSON.stringify(copied))).toBeLessThan(400 * 1024);
  });

  it('OP-10 has the other domains of a company, at most 24', () => {
    const domains = Array.from({ length: 100 }, (_, index) => `acme-${index}.example`);
    const { facts, otherDomains } = observedCompanyOf({ ...company, domains });
    expect([facts.domain, otherDomains?.length, otherDomains?.[0]]).toEqual([
      'acme-0.example',
      24,
      'acme-1.example',
    ]);
    expect(observedCompanyOf({ ...company, domains: ['acme.com'] })).not.toHaveProperty('otherDomains');
  });

  it('keeps the newest of many experiences, and no half of a link', () => {
    const { facts } = observedPersonOf(person, new Map());
    expect(facts.experiences).toHaveLength(30);
    expect(facts.experiences?.[0]?.start_date).toBe('1999');
    expect(facts.avatar_url).toBeNull();
    expect(facts.network_url).toBe('https://www.network.example/in/ana');
  });

  it('LEAD-05 lists open positions first, then by end, then by start, and equal ones as they are observed', () => {
    const position = (title: string, startDate: string | null, endDate: string | null) => ({
      ...job('2020'),
      title,
      startDate,
      endDate,
    });
    const observed = [
      position('undated', null, '2019'),
      position('first of two', '2016', '2019'),
      position('second of two', '2016', '2019'),
      position('oldest', '2001', '2005'),
      position('earlier start', '2010', null),
      position('latest', '2024', null),
      position('long', '2000', '2023-04'),
    ];
    const { facts } = observedPersonOf({ ...person, experiences: observed }, new Map());
    expect(facts.experiences?.map(({ title }) => title)).toEqual([
      'latest',
      'earlier start',
      'long',
      'first of two',
      'second of two',
      'undated',
      'oldest',
    ]);
  });

  it('LEAD-05 names an employer as the position does, and without a name as the network does', () => {
    const experiences = [
      { ...job('2020'), companyName: 'Acme Labs' },
      { ...job('2019'), companyRef: null },
      job('2018'),
    ];
    const known = new Map([['c:acme', { ...company, name: 'Acme' }]]);
    const { facts } = observedPersonOf({ ...person, experiences }, known);
    expect(facts.experiences?.map(({ company_name }) => company_name)).toEqual(['Acme Labs', null, 'Acme']);
  });

  it('SRC-04 has the lowest revision for a company that a source made: every observed one is newer', () => {
    const made = { ...company, ref: 'domain:acme.com', handle: null, rev: 1_800_000_000_000 };
    expect(observedCompanyOf(made)).toMatchObject({ identity: 'domain:acme.com', rev: 0 });
    expect(observedCompanyOf(company).rev).toBe(1);
  });

  it('SRC-08 knows a person without a handle by a hash of the ref, which stays', () => {
    const unnamed = { ...person, ref: 'csv:crm:7', handle: null, networkUrl: null };
    const { identity, facts } = observedPersonOf(unnamed, new Map());
    expect(identity).toBe('ref:ccdd9cb2b1d2d542c3de5de3af41d76c');
    expect([facts.network_url, facts.network_handle]).toEqual([null, null]);
    expect(observedPersonOf({ ...unnamed, ref: 'csv:crm:8' }, new Map()).identity).not.toBe(identity);
    expect(observedPersonOf(person, new Map()).identity).toBe('handle:ana');
  });
});
