import type { CompanyEvents, CompanyIdentityEvents } from '#identities/domain/companies/company.events.js';
import type { CompanyMentions } from '#identities/domain/companies/company-mentions-facts.js';
import type { Recorded } from '#kernel/events/event.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** A company of the workspace with the facts of the newest network revision that was copied. */
export type CompanyDocument = {
  readonly id: number;
  /** No workspace while only a call that may have been refused names the company (provisional). */
  readonly workspaceId: number;
  readonly rev: number;
  readonly facts: CompanyFacts;
  /** How it is found by its identifiers; lower case. */
  readonly domain: string | null;
  /** Every domain, `domain` first. */
  readonly domains: readonly string[];
  readonly networkHandle: string | null;
  /** Names that were linked to it, for facts without them; null: none, as for most. */
  readonly linked: LinkedNames | null;
  /** On the workspace's top account list; null: it is not, as most are not. */
  readonly isTopAccount: true | null;
  readonly pipelineConfigs: readonly PipelineConfig[];
};

/** As the Company resource shows it; the configuration `disabled` stops the pipeline. */
export type PipelineConfig = { readonly pipeline_type: string; readonly configuration: string };

/** The first handle that was linked, with its page, and every domain. */
type LinkedNames = {
  readonly handle: string | null;
  readonly networkUrl: string | null;
  readonly domains: readonly string[];
};

type CompanyFacts = CompanyIdentityEvents['CompanyRegistered']['facts'];

export const companyKey = (id: number): string => String(id);

type CompanyPayloads = Pick<CompanyIdentityEvents, 'CompanyRegistered' | 'IdentityLinked'> &
  CompanyEvents &
  CompanyMentions;

const NOBODY = 0;

export const companies = projection<CompanyDocument, CompanyPayloads>()({
  name: 'companies',
  version: 7,
  compact: true,
  indexes: {
    byWorkspace: ['workspaceId', 'id'],
    byDomain: ['workspaceId', 'domain', 'id'],
    byHandle: ['workspaceId', 'networkHandle', 'id'],
    topAccounts: ['workspaceId', 'isTopAccount', 'id'],
  },
  onlyWith: { topAccounts: 'isTopAccount' },
  key: ({ data }) =>
    // What the top account list asks for is about companies that are on it.
    'source' in data && data.source !== 'api' ? null : companyKey(data.companyId),
  on: {
    CompanyRegistered: (_none, event) => ({
      id: event.data.companyId,
      workspaceId: event.data.provisional === true ? NOBODY : workspaceIdOf(event),
      rev: event.data.rev,
      facts: event.data.facts,
      ...namesOf(event.data),
      linked: null,
      isTopAccount: null,
      pipelineConfigs: [],
    }),
    CompanyUpdated: (company, { data }) =>
      // Registration and updates are two streams: an update that is not newer than the registration is none.
      company &&
      (data.rev > company.rev ? { ...company, rev: data.rev, ...withLinked(data, company.linked) } : company),
    IdentityLinked: (company, { data }) => {
      if (company === null) return null;
      const linked = linkedWith(company.linked, data);
      const { facts, domains } = company;
      return { ...company, linked, ...withLinked({ facts, otherDomains: domains }, linked) };
    },
    CompanyNamed: (company, event) => named(company, event),
    ContentRequestCreated: (company, event) => named(company, event),
    PipelineConfigSet: (company, { data: { pipelineType, configuration } }) =>
      company && {
        ...company,
        pipelineConfigs: [
          ...company.pipelineConfigs.filter(({ pipeline_type }) => pipeline_type !== pipelineType),
          { pipeline_type: pipelineType, configuration },
        ],
      },
    TopAccountFound: (company) => company && { ...company, isTopAccount: true },
    TopAccountRemoved: (company) => company && { ...company, isTopAccount: null },
  },
});

function named(company: CompanyDocument | null, event: Recorded<unknown>): CompanyDocument | null {
  if (company === null || company.workspaceId !== NOBODY) return company;
  return { ...company, workspaceId: workspaceIdOf(event) };
}

const NO_NAMES: LinkedNames = { handle: null, networkUrl: null, domains: [] };
const [HANDLE, DOMAIN] = ['handle:', 'domain:'];

function linkedWith(
  before: LinkedNames | null,
  { identity, networkUrl }: CompanyIdentityEvents['IdentityLinked'],
): LinkedNames {
  const linked = before ?? NO_NAMES;
  if (identity.startsWith(DOMAIN))
    return { ...linked, domains: [...new Set([...linked.domains, identity.slice(DOMAIN.length)])] };
  if (linked.handle !== null) return linked;
  return { ...linked, handle: identity.slice(HANDLE.length), networkUrl: networkUrl ?? null };
}

/** The facts, with linked names where the network has none (OP-10), and every name of the company. */
function withLinked(seen: Named, linked: LinkedNames | null) {
  if (linked === null) return { facts: seen.facts, ...namesOf(seen) };
  const { handle, networkUrl, domains } = linked;
  const { network_handle, network_url, domain } = seen.facts;
  const facts = {
    ...seen.facts,
    domain: domain ?? domains[0] ?? null,
    network_handle: network_handle ?? handle,
    network_url: network_handle === null ? (network_url ?? networkUrl) : network_url,
  };
  return { facts, ...namesOf({ facts, otherDomains: [...(seen.otherDomains ?? []), ...domains] }) };
}

type Named = Pick<CompanyEvents['CompanyUpdated'], 'facts' | 'otherDomains'>;

/** As identifiers are compared: in lower case. */
export function namesOf({ facts, otherDomains = [] }: Named) {
  const { domain, networkHandle } = identifiersOf(facts);
  const others = otherDomains.map((other) => other.toLowerCase());
  return { domain, domains: [...new Set(domain === null ? others : [domain, ...others])], networkHandle };
}

/** The names in the facts, in lower case. */
export const identifiersOf = (facts: CompanyFacts) => ({
  domain: facts.domain?.toLowerCase() ?? null,
  networkHandle: facts.network_handle?.toLowerCase() ?? null,
});
