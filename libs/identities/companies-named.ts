import type { NetworkIdentifier } from '#kernel/values/network-identifiers.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { CompanyFacts } from '#network/network-directory.port.js';
import { ownedBy } from '#kernel/values/owned-by.js';
import {
  companies,
  companyKey,
  identifiersOf,
  type CompanyDocument,
} from '#projections/identities/companies/companies.projection.js';
import { linkedNameKey, linkedNames } from '#projections/identities/linked-names/linked-names.projection.js';
import type { CompanyDirectory } from './company-names.js';
import { DISABLED, unknownCompany } from './domain/companies/company.js';
import { observedCompanyOf } from './observed-facts.js';

/** What finding a company by its identifiers reads: the workspace's companies, and the network for their other names. */
export type NamingPorts = { readonly readModels: ReadModels; readonly directory: CompanyDirectory };

/** The refusals of `requireCompany`, for the documentation of endpoints. */
export const companyProblems = [unknownCompany];

/** A company of the workspace; an unknown and a foreign company are refused alike. */
export async function requireCompany(
  readModels: ReadModels,
  workspaceId: number,
  companyId: number,
): Promise<CompanyDocument> {
  const own = await ownCompany(readModels, workspaceId, companyId);
  if (own === null) throw unknownCompany();
  return own;
}

/** A company of the workspace; null: it is unknown, or of another workspace. */
export const ownCompany = async (
  readModels: ReadModels,
  workspaceId: number,
  companyId: number,
): Promise<CompanyDocument | null> =>
  ownedBy(workspaceId, await readModels.get(companies, companyKey(companyId)));

/** Whether an identifier can be that of a company: a URL or handle can be that of a person. */
export const namesCompany = (identifier: NetworkIdentifier | null): identifier is NetworkIdentifier =>
  identifier !== null && !(identifier.by === 'handle' && identifier.entity === 'person');

type Names = { readonly handle: string | null; readonly domains: readonly string[] };

/**
 * The companies of a workspace that each identifier names, by id: those that have it themselves, otherwise the company that it was
 * linked to, otherwise the company that the network finds by it, as for any identifier (OP-10).
 */
export async function companiesNamed(
  { readModels, directory }: NamingPorts,
  workspaceId: number,
  identifiers: readonly NetworkIdentifier[],
): Promise<Found> {
  const own = await companiesWith(readModels, workspaceId, identifiers.map(namesOf));
  const linked = await withOthers(identifiers, own, (strange) =>
    companiesLinkedTo(readModels, workspaceId, strange),
  );
  return withOthers(identifiers, linked, async (strange) => {
    const answers = await directory.resolveCompanies(strange);
    const observed = answers.map((answer) => (answer.outcome === 'found' ? answer.facts : null));
    return companiesWith(readModels, workspaceId, observed.map(namesOfFacts));
  });
}

type Found = readonly (readonly CompanyDocument[])[];

/** What was found, and what `find` finds of the identifiers without any company. */
async function withOthers(
  identifiers: readonly NetworkIdentifier[],
  found: Found,
  find: (strange: readonly NetworkIdentifier[]) => Promise<Found>,
): Promise<Found> {
  const strange = identifiers.filter((_, index) => found[index]?.length === 0);
  if (strange.length === 0) return found;
  const others = await find(strange);
  const more = new Map(strange.map((identifier, index) => [identifier, others[index] ?? []] as const));
  return identifiers.map((identifier, index) => more.get(identifier) ?? found[index] ?? []);
}

/** The companies that these identifiers were linked to, as domains sent beside a handle (OP-52). */
async function companiesLinkedTo(
  readModels: ReadModels,
  workspaceId: number,
  identifiers: readonly NetworkIdentifier[],
): Promise<Found> {
  const keys = identifiers.map((named) =>
    linkedNameKey(workspaceId, named.by === 'domain' ? `domain:${named.domain}` : `handle:${named.handle}`),
  );
  const linked = await readModels.getMany(linkedNames, keys);
  const companyKeys = [...linked.values()].map(({ companyId }) => companyKey(companyId));
  const known = await readModels.getMany(companies, companyKeys);
  return keys.map((key) => {
    const companyId = linked.get(key)?.companyId;
    const company = companyId === undefined ? undefined : known.get(companyKey(companyId));
    // A company that only a call which may have been refused names is shown to nobody.
    return company?.workspaceId === workspaceId ? [company] : [];
  });
}

const namesOf = (identifier: NetworkIdentifier): Names =>
  identifier.by === 'domain'
    ? { handle: null, domains: [identifier.domain] }
    : { handle: identifier.handle, domains: [] };

const namesOfFacts = (facts: CompanyFacts | null): Names => ({
  handle: facts?.handle ?? null,
  domains: facts?.domains ?? [],
});

/** The companies with these names. A company with another handle is another one, even with the same domain. */
async function companiesWith(
  readModels: ReadModels,
  workspaceId: number,
  names: readonly Names[],
): Promise<readonly (readonly CompanyDocument[])[]> {
  const handles = [...new Set(names.flatMap(({ handle }) => handle ?? []))];
  const domains = [...new Set(names.flatMap((each) => each.domains))];
  // One query per index: with one combined query a store may scan all companies.
  const [byHandle, byDomain] = await Promise.all([
    handles.length === 0
      ? []
      : readModels.find(companies, { where: { workspaceId, networkHandle: { in: handles } } }),
    domains.length === 0
      ? []
      : readModels.find(companies, { where: { workspaceId, domain: { in: domains } } }),
  ]);
  const known = [...new Map([...byHandle, ...byDomain].map((company) => [company.id, company])).values()];
  return names.map(({ handle, domains: named }) =>
    known
      .filter(
        ({ networkHandle, domain }) =>
          (handle !== null && networkHandle === handle) ||
          (domain !== null && named.includes(domain) && (handle === null || networkHandle === null)),
      )
      .toSorted((left, right) => left.id - right.id),
  );
}

/** Whether each of these companies, as it is shown, is one of the workspace for which this pipeline is disabled (OP-62). */
export async function areDisabled(
  readModels: ReadModels,
  workspaceId: number,
  pipelineType: string,
  shown: readonly Parameters<typeof identifiersOf>[0][],
): Promise<readonly boolean[]> {
  const names = shown.map(identifiersOf).map(({ networkHandle, domain }) => ({
    handle: networkHandle,
    domains: domain === null ? [] : [domain],
  }));
  const known = await companiesWith(readModels, workspaceId, names);
  return known.map((some) =>
    some.some(({ pipelineConfigs }) =>
      pipelineConfigs.some(
        ({ pipeline_type, configuration }) => pipeline_type === pipelineType && configuration === DISABLED,
      ),
    ),
  );
}

/** Those of these companies for which the workspace has not disabled this pipeline (OP-62). */
export async function enabledCompanies(
  readModels: ReadModels,
  workspaceId: number,
  pipelineType: string,
  observed: readonly CompanyFacts[],
): Promise<readonly CompanyFacts[]> {
  const shown = observed.map((company) => observedCompanyOf(company).facts);
  const areOff = await areDisabled(readModels, workspaceId, pipelineType, shown);
  return observed.filter((_, index) => areOff[index] !== true);
}
