import type { CompanyEvents, CompanyIdentityEvents } from '#domain/companies/company.events.js';
import type { TopAccountEvents } from '#domain/top-accounts/top-accounts.events.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** A company of the workspace with the facts of the newest network revision that was copied. */
export type CompanyDocument = {
  readonly id: number;
  readonly workspaceId: number;
  readonly rev: number;
  readonly facts: CompanyFacts;
  /** How it is found by its identifiers; lower case. */
  readonly domain: string | null;
  readonly networkHandle: string | null;
  /** On the workspace's top account list. */
  readonly isTopAccount: boolean;
  readonly pipelineConfigs: readonly PipelineConfig[];
};

/** As the Company resource shows it; the configuration `disabled` stops the pipeline. */
export type PipelineConfig = { readonly pipeline_type: string; readonly configuration: string };

type CompanyFacts = CompanyIdentityEvents['CompanyRegistered']['facts'];

export const companyKey = (id: number): string => String(id);

type CompanyPayloads = Pick<CompanyIdentityEvents, 'CompanyRegistered'> &
  CompanyEvents &
  Pick<TopAccountEvents, 'TopAccountFound' | 'TopAccountRemoved'>;

export const companies = projection<CompanyDocument, CompanyPayloads>()({
  name: 'companies',
  version: 2,
  indexes: {
    byWorkspace: ['workspaceId', 'id'],
    byDomain: ['workspaceId', 'domain', 'id'],
    byHandle: ['workspaceId', 'networkHandle', 'id'],
    topAccounts: ['workspaceId', 'isTopAccount', 'id'],
  },
  key: (event) => companyKey(event.data.companyId),
  on: {
    CompanyRegistered: (_none, event) => ({
      id: event.data.companyId,
      workspaceId: workspaceIdOf(event),
      rev: event.data.rev,
      facts: event.data.facts,
      ...identifiersOf(event.data.facts),
      isTopAccount: false,
      pipelineConfigs: [],
    }),
    CompanyUpdated: (company, { data: { rev, facts } }) =>
      // Registration and updates are two streams: an update that is not newer than the registration is none.
      company && (rev > company.rev ? { ...company, rev, facts, ...identifiersOf(facts) } : company),
    PipelineConfigSet: (company, { data: { pipelineType, configuration } }) =>
      company && {
        ...company,
        pipelineConfigs: [
          ...company.pipelineConfigs.filter(({ pipeline_type }) => pipeline_type !== pipelineType),
          { pipeline_type: pipelineType, configuration },
        ],
      },
    TopAccountFound: (company) => company && { ...company, isTopAccount: true },
    TopAccountRemoved: (company) => company && { ...company, isTopAccount: false },
  },
});

/** As identifiers are compared: in lower case. */
export const identifiersOf = (facts: CompanyFacts) => ({
  domain: facts.domain?.toLowerCase() ?? null,
  networkHandle: facts.network_handle?.toLowerCase() ?? null,
});
