import type { ListEvents } from '#domain/lists/list.events.js';
import { workspaceScoped } from '#kernel/decider.js';
import type { ReadModels } from '#kernel/read-store.port.js';
import { projection } from '#kernel/projection.js';
import { workspaceIdOf } from '#kernel/workspace-scope.js';

/** On which lists of a workspace the companies of one handle or one domain are, deleted and archived ones too. */
export type ListedCompanyDocument = {
  readonly workspaceId: number;
  readonly memberships: readonly {
    readonly memberId: number;
    readonly listId: number;
    readonly handle: string | null;
  }[];
};

type MembershipPayloads = Pick<ListEvents, 'MembersAdded' | 'MembersRemoved'>;

/** How a company is known on the network. */
export type CompanyIdentity = { readonly handle: string | null; readonly domains: readonly string[] };

const keysOf = (workspaceId: number, { handle, domains }: CompanyIdentity): readonly string[] => [
  ...(handle === null ? [] : [workspaceScoped(workspaceId, `handle:${handle}`)]),
  ...domains.map((domain) => workspaceScoped(workspaceId, `domain:${domain}`)),
];

export const listedCompanies = projection<ListedCompanyDocument, MembershipPayloads>()({
  name: 'listed-companies',
  version: 1,
  indexes: {},
  key: (event) => {
    const { kind, members } = event.data;
    if (kind !== 'company') return null;
    const workspaceId = workspaceIdOf(event);
    return members.flatMap((member) => keysOf(workspaceId, member));
  },
  on: {
    MembersAdded: (listed, event, key) => {
      const workspaceId = workspaceIdOf(event);
      const { listId, members } = event.data;
      const joining = members
        .filter((member) => keysOf(workspaceId, member).includes(key))
        .map(({ memberId, handle }) => ({ memberId, listId, handle }));
      return { workspaceId, memberships: [...(listed?.memberships ?? []), ...joining] };
    },
    MembersRemoved: (listed, event) => {
      if (listed === null) return null;
      const gone = new Set(event.data.members.map(({ memberId }) => memberId));
      const memberships = listed.memberships.filter(({ memberId }) => !gone.has(memberId));
      return memberships.length === 0 ? null : { ...listed, memberships };
    },
  },
});

/**
 * The lists that each company is on, in the order asked: by its handle, or by a domain where it or the member
 * has no handle; two handles are two companies, whatever domain they share.
 */
export async function listsOfCompanies(
  readModels: ReadModels,
  workspaceId: number,
  companies: readonly CompanyIdentity[],
): Promise<readonly (readonly number[])[]> {
  const keys = companies.map((company) => keysOf(workspaceId, company));
  const found = await readModels.getMany<ListedCompanyDocument>(listedCompanies, keys.flat());
  return companies.map(({ handle }, index) => {
    const memberships = (keys[index] ?? []).flatMap((key) => found.get(key)?.memberships ?? []);
    const own = memberships.filter(
      (member) => handle === null || member.handle === null || member.handle === handle,
    );
    return [...new Set(own.map(({ listId }) => listId))];
  });
}
