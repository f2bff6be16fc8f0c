import { given } from '#kernel/testing/scenario.js';
import { sampleCompanyFacts } from '#projections/testing/sample-events.js';
import {
  company,
  companyIdentity,
  configurePipelines,
  nameCompany,
  registerCompany,
  updateCompany,
} from './company.js';

const facts = sampleCompanyFacts();
const registration = { companyId: 9, identity: 'handle:acme', rev: 1, facts };
const configured = (pipelineType: string, configuration: string) =>
  ({ type: 'PipelineConfigSet', data: { companyId: 9, pipelineType, configuration } }) as const;

describe('a company identity', () => {
  it('belongs to the first claim', () => {
    const registered = { type: 'CompanyRegistered', data: registration } as const;
    given(companyIdentity, []).when(registerCompany(registration)).then([registered]);
    given(companyIdentity, [registered])
      .when(registerCompany({ ...registration, companyId: 10 }))
      .then([]);
  });
});

describe('a company', () => {
  it('copies newer facts only', () => {
    const update = { companyId: 9, rev: 2, facts };
    const updated = { type: 'CompanyUpdated', data: update } as const;
    given(company, []).when(updateCompany(update)).then([updated]);
    given(company, [updated]).when(updateCompany(update)).then([]);
    given(company, [updated])
      .when(updateCompany({ ...update, rev: 1 }))
      .then([]);
  });

  it('OP-56 is named once', () => {
    const named = { type: 'CompanyNamed', data: { companyId: 9 } } as const;
    given(company, []).when(nameCompany(9)).then([named]);
    given(company, [named]).when(nameCompany(9)).then([]);
  });

  it('OP-62 replaces the named pipelines only, and records what changed', () => {
    const past = [configured('account_mapping', 'default'), configured('signal_detection', 'default')];
    given(company, past)
      .when(configurePipelines(9, new Map([['account_mapping', 'disabled']])))
      .then([configured('account_mapping', 'disabled')]);
    given(company, past)
      .when(configurePipelines(9, new Map([['signal_detection', 'default']])))
      .then([]);
  });
});
