import type { ListEvents } from '#domain/lists/list.events.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';
import type { CompanyDocument } from '#projections/companies/companies.projection.js';

/** Who is on which lists of a workspace by one handle or one domain, deleted and archived lists too. */
export type ListedCompanyDocument = {
  readonly workspaceId: number;
  readonly memberships: readonly {
    readonly memberId: number;
    readonly listId: number;
    readonly handle: string | null;
  }[];
  /** Its own key, to go through them page by page. */
  readonly identity: string;
};

type MembershipPayloads = Pick<ListEvents, 'MembersAdded' | 'MembersRemoved'>;

/** How a company is known on the network. */
type KnownBy = Pick<CompanyDocument, 'networkHandle' | 'domain'>;
type CompanyIdentity = { readonly handle: string | null; readonly domains: readonly string[] };

/** Keys of the documents about a company, by its handle and by its domains. */
export const listedCompanyKeys = (
  workspaceId: number,
  { handle, domains }: CompanyIdentity,
): readonly string[] => [
  ...(handle === null ? [] : [workspaceScoped(workspaceId, `handle:${handle}`)]),
  ...domains.map((domain) => workspaceScoped(workspaceId, `domain:${domain}`)),
];

/**
 * Companies of the workspace write nothing here: many are found and few are on a list, and they are found by what
 * they are known by themselves.
 */
export const listedCompanies = projection<ListedCompanyDocument, MembershipPayloads>()({
  name: 'listed-companies',
  version: 3,
  indexes: { byWorkspace: ['workspaceId', 'identity'] },
  key: (event) => {
    const workspaceId = workspaceIdOf(event);
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
      return { workspaceId, identity: key, memberships: [...(known?.memberships ?? []), ...joining] };
    },
    MembersRemoved: (known, event) => {
      if (known === null) return null;
      const gone = new Set(event.data.members.map(({ memberId }) => memberId));
      const memberships = known.memberships.filter(({ memberId }) => !gone.has(memberId));
      return memberships.length === 0 ? null : { ...known, memberships };
    },
  },
});

/** By which handle, or by which domain, companies are listed here. */
export function knownHereBy({ workspaceId, identity }: ListedCompanyDocument): KnownBy {
  const [kind, ...value] = identity.slice(workspaceScoped(workspaceId, '').length).split(':');
  const known = value.join(':');
  return kind === 'handle' ? { networkHandle: known, domain: null } : { networkHandle: null, domain: known };
}

/** Keys of the documents about a company that the workspace knows. */
export const listedKeysOf = (workspaceId: number, company: KnownBy): readonly string[] =>
  listedCompanyKeys(workspaceId, identityOf(company));

const identityOf = ({ networkHandle, domain }: KnownBy): CompanyIdentity => ({
  handle: networkHandle,
  domains: domain === null ? [] : [domain],
});

/**
 * The lists that a company is on by this handle or domain, none where it is not known by it now. By a domain it
 * is where it or the member has no handle; two handles are two companies, whatever domain they share.
 */
export function listsOf(
  { workspaceId, identity, memberships }: ListedCompanyDocument,
  company: KnownBy,
): readonly number[] {
  const { networkHandle } = company;
  if (!listedKeysOf(workspaceId, company).includes(identity)) return [];
  return memberships
    .filter(({ handle }) => networkHandle === null || handle === null || handle === networkHandle)
    .map(({ listId }) => listId);
}
