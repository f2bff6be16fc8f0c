import { decider, type Decision } from '#kernel/decider.js';
import type { CompanyFacts } from './company-facts.js';
import { companyEvents, companyIdentityEvents } from './company.events.js';

/** Whose id a company identity is: the first append to its stream claims it. */
export type CompanyIdentity = { readonly companyId: number | null; readonly rev: number };

export const companyIdentity = decider<CompanyIdentity>()({
  category: 'companyIdentity',
  vocabulary: companyIdentityEvents,
  strict: true,
  initial: () => ({ companyId: null, rev: 0 }),
  on: {
    CompanyRegistered: (_, { data }) => ({ companyId: data.companyId, rev: data.rev }),
    IdentityLinked: (_, { data }) => ({ companyId: data.companyId, rev: 0 }),
  },
});

export type RegisterCompany = {
  readonly companyId: number;
  readonly identity: string;
  readonly rev: number;
  readonly facts: CompanyFacts;
};

export const registerCompany =
  (input: RegisterCompany): Decision<CompanyIdentity, typeof companyIdentityEvents> =>
  (state) =>
    state.companyId === null ? [{ type: 'CompanyRegistered', data: input }] : [];

/** The newest network revision that the workspace has copied for this company, after its registration. */
export type Company = { readonly rev: number };

export const company = decider<Company>()({
  category: 'company',
  vocabulary: companyEvents,
  initial: () => ({ rev: 0 }),
  on: { CompanyUpdated: (_, { data }) => ({ rev: data.rev }) },
});

/** Copies newer facts; an equal or older revision changes nothing. */
export const updateCompany =
  (input: {
    readonly companyId: number;
    readonly rev: number;
    readonly facts: CompanyFacts;
  }): Decision<Company, typeof companyEvents> =>
  (state) =>
    input.rev > state.rev ? [{ type: 'CompanyUpdated', data: input }] : [];
