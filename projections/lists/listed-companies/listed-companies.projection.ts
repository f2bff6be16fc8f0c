import type { CompanyEvents, CompanyIdentityEvents } from '#identities/domain/companies/company.events.js';
import type { ListStreamEvents } from '#lists/domain/lists/list.events.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import type { Recorded } from '#kernel/events/event.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';
import { namesOf, type CompanyDocument } from '#projections/identities/companies/companies.projection.js';

/** The members (also of deleted and archived lists) and companies of a workspace with one handle or one domain. */
export type ListedCompanyDocument = {
  readonly workspaceId: number;
  readonly memberships: readonly {
    readonly memberId: number;
    readonly listId: number;
    readonly handle: string | null;
  }[];
  /** The companies that have or had this identifier in the workspace; their own documents have the current ones. */
  readonly companyIds: readonly number[];
  /** Set if the document has both memberships and companies, for an index of these few; otherwise null. */
  readonly isMet: true | null;
  /** The key of the document, for reading page by page. */
  readonly identity: string;
};

type MembershipPayloads = Pick<ListStreamEvents, 'MembersAdded' | 'MembersRemoved'>;
type CompanyPayloads = Pick<CompanyIdentityEvents, 'CompanyRegistered' | 'IdentityLinked'> &
  Pick<CompanyEvents, 'CompanyUpdated'>;

/** The identifiers of a company on the network. */
type KnownBy = Pick<CompanyDocument, 'networkHandle' | 'domains'>;
type CompanyIdentity = { readonly handle: string | null; readonly domains: readonly string[] };

/** Keys of the documents about a company, by its handle and by its domains. */
export const listedCompanyKeys = (
  workspaceId: number,
  { handle, domains }: CompanyIdentity,
): readonly string[] => [
  ...(handle === null ? [] : [workspaceScoped(workspaceId, `handle:${handle}`)]),
  ...domains.map((domain) => workspaceScoped(workspaceId, `domain:${domain}`)),
];

export const listedCompanies = projection<ListedCompanyDocument, MembershipPayloads & CompanyPayloads>()({
  name: 'listed-companies',
  version: 5,
  compact: true,
  indexes: { met: ['workspaceId', 'isMet', 'identity'] },
  onlyWith: { met: 'isMet' },
  key: (event) => {
    const workspaceId = workspaceIdOf(event);
    if (event.type === 'CompanyRegistered' || event.type === 'CompanyUpdated') {
      return listedCompanyKeys(workspaceId, identityOf(namesOf(event.data)));
    }
    if (event.type === 'IdentityLinked') return workspaceScoped(workspaceId, event.data.identity);
    const { kind, members } = event.data;
    if (kind !== 'company') return null;
    return members.flatMap((member) => listedCompanyKeys(workspaceId, member));
  },
  on: {
    MembersAdded: (known, event, key) => {
      const workspaceId = workspaceIdOf(event);
      const { listId, members } = event.data;
      const joining = members
        .filter((member) => listedCompanyKeys(workspaceId, member).includes(key))
        .map(({ memberId, handle }) => ({ memberId, listId, handle }));
      const { memberships, companyIds } = known ?? NOTHING;
      return met(workspaceId, key, [...memberships, ...joining], companyIds);
    },
    MembersRemoved: (known, event, key) => {
      if (known === null) return null;
      const gone = new Set(event.data.members.map(({ memberId }) => memberId));
      const memberships = known.memberships.filter(({ memberId }) => !gone.has(memberId));
      return met(known.workspaceId, key, memberships, known.companyIds);
    },
    CompanyRegistered: withCompany,
    CompanyUpdated: withCompany,
    IdentityLinked: withCompany,
  },
});

type Both = Pick<ListedCompanyDocument, 'memberships' | 'companyIds'>;
const NOTHING: Both = { memberships: [], companyIds: [] };

function withCompany(
  known: ListedCompanyDocument | null,
  event: Recorded<{ readonly companyId: number }>,
  key: string,
): ListedCompanyDocument | null {
  const { memberships, companyIds } = known ?? NOTHING;
  const { companyId } = event.data;
  const withIt = companyIds.includes(companyId) ? companyIds : [...companyIds, companyId];
  return met(workspaceIdOf(event), key, memberships, withIt);
}

function met(
  workspaceId: number,
  identity: string,
  memberships: Both['memberships'],
  companyIds: Both['companyIds'],
): ListedCompanyDocument | null {
  if (memberships.length === 0 && companyIds.length === 0) return null;
  const isMet = memberships.length > 0 && companyIds.length > 0 ? true : null;
  return { workspaceId, memberships, companyIds, isMet, identity };
}

const identityOf = ({ networkHandle, domains }: KnownBy): CompanyIdentity => ({
  handle: networkHandle,
  domains,
});

/**
 * The lists that a company is on by this handle or domain; none if the company no longer has it. A domain identifies
 * the company only if the company or the member has no handle: two handles are two companies.
 */
export function listsOf(
  { workspaceId, identity, memberships }: ListedCompanyDocument,
  company: KnownBy,
): readonly number[] {
  const { networkHandle } = company;
  if (!listedCompanyKeys(workspaceId, identityOf(company)).includes(identity)) return [];
  return memberships
    .filter(({ handle }) => networkHandle === null || handle === null || handle === networkHandle)
    .map(({ listId }) => listId);
}
