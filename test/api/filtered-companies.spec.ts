import { unknownCompany } from '#identities/domain/companies/company.js';
import type { CompanyDirectory } from '#identities/company-names.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import { Refusal, type RefusalDeclaration } from '#kernel/values/refusal.js';
import { filteredCompanies, noSuchTopAccount } from '#apps/api/src/signals/signals/filtered-companies.js';
import {
  companies,
  companyKey,
  type CompanyDocument,
} from '#projections/identities/companies/companies.projection.js';
import { linkedNameKey, linkedNames } from '#projections/identities/linked-names/linked-names.projection.js';
import { sampleCompanyFacts } from '#projections/testing/sample-events.js';
import { publish } from '../contract/read-store-fixture.js';
import { makeSqlitePlace } from '../contract/sqlite-read-store.fixture.js';

const OWN = 1;
const company = (id: number, name: string, facts: Partial<CompanyDocument> = {}): CompanyDocument => ({
  id,
  workspaceId: OWN,
  rev: 1,
  facts: sampleCompanyFacts({ name }),
  domain: `${name}.com`,
  domains: [`${name}.com`],
  networkHandle: name,
  linked: null,
  isTopAccount: true,
  pipelineConfigs: [],
  ...facts,
});
const known = [
  company(1, 'acme'),
  company(2, 'globex', { domain: null }),
  company(3, 'initech', { isTopAccount: null }),
  company(4, 'acme', { workspaceId: 2 }),
];

describe('the companies that a signal query is narrowed to', () => {
  let place: Awaited<ReturnType<typeof makeSqlitePlace>>;
  let store: ReadStore;
  beforeAll(async () => {
    place = await makeSqlitePlace();
    store = await place.connect();
    const documents = known.map((document) => ({ key: companyKey(document.id), document }));
    await publish(store, { view: companies, generation: 1 }, documents);
    const linked = { key: linkedNameKey(OWN, 'domain:globex-group.com'), document: { companyId: 2 } };
    await publish(store, { view: linkedNames, generation: 1 }, [linked]);
  });
  afterAll(() => place.remove());

  /** A network without observations. */
  const directory: CompanyDirectory = {
    resolveCompanies: async (asked) => asked.map(() => ({ outcome: 'unknown' })),
  };
  const narrowed = (body: object) => filteredCompanies({ readModels: store, directory }, OWN, body);
  const refused = async (body: object, declaration: RefusalDeclaration): Promise<void> => {
    const error = await narrowed(body).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error instanceof Refusal && error.declaration.code).toBe(declaration.code);
  };

  it('are all of them if none is named', async () => {
    expect(await narrowed({})).toBeNull();
  });

  it('SIG-32 SIG-33 SIG-34 are a named top account, nothing for another company, and refused if unknown or foreign', async () => {
    expect(await narrowed({ company_id: 1 })).toEqual([1]);
    expect(await narrowed({ company_id: 3 })).toEqual([]);
    await refused({ company_id: 9 }, unknownCompany);
    await refused({ company_id: 4 }, unknownCompany);
  });

  it('SIG-35 SIG-37 OP-10 are those that any identifier resolves to, in any spelling', async () => {
    expect(await narrowed({ company_domain: ['https://www.ACME.com/about', 'nobody.com'] })).toEqual([1]);
    expect(await narrowed({ company_network_handle: ['@Globex'] })).toEqual([2]);
    expect(await narrowed({ company_network_url: ['network.example/company/globex/?x=1'] })).toEqual([2]);
    expect(await narrowed({ company_domain: ['globex-group.com'] })).toEqual([2]);
    const both = await narrowed({ company_domain: ['acme.com'], company_network_handle: ['globex'] });
    expect([...(both ?? [])].sort()).toEqual([1, 2]);
  });

  it('SIG-36 are refused if no identifier resolves to a top account', async () => {
    await refused({ company_domain: ['nobody.com', 'no domain'] }, noSuchTopAccount);
    await refused({ company_domain: ['initech.com'] }, noSuchTopAccount);
    await refused({ company_network_url: ['https://www.network.example/in/acme'] }, noSuchTopAccount);
  });

  it('OP-39 are the intersection if an id comes with identifiers', async () => {
    expect(await narrowed({ company_id: 1, company_domain: ['acme.com'] })).toEqual([1]);
    expect(await narrowed({ company_id: 1, company_network_handle: ['globex'] })).toEqual([]);
  });
});
