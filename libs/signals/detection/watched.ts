import type { Commands } from '#kernel/commands/commands.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import type { NetworkIdentifier } from '#kernel/values/network-identifiers.js';
import { inPieces } from '#kernel/values/pieces.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { enabledCompanies } from '#identities/companies-named.js';
import { observedRefsOf } from '#identities/company-refs.js';
import { kindOfList } from '#lists/domain/lists/list.events.js';
import { list, watchedBy } from '#lists/domain/lists/list.js';
import type { Member } from '#lists/domain/lists/membership.js';
import type { RunLaunched } from '#signals/domain/launches/launch.events.js';
import { workspace } from '#access/domain/workspaces/workspace.js';
import {
  resolveEntities,
  type CompanyFacts,
  type NetworkDirectory,
} from '#network/network-directory.port.js';
import type { Whose } from '#network/network-source.port.js';
import type { Coverage } from './coverage.port.js';
import { onCustomerLists } from './customer-lists.js';
import type { TopAccounts } from './top-accounts.port.js';

/** The pipeline type that finds signals about a company without being asked. */
export const SIGNAL_DETECTION = 'signal_detection';

/** The people and companies of a launch, by network ref. Each look-up is made once and then cached. */
export type Watched = {
  /** Members that the list followed at the launch and that the network knows; null: the launch is about no list. */
  readonly members: () => Promise<Whose | null>;
  /** The same for a list of people, with the member of each; empty for another list. */
  readonly people: () => Promise<readonly ListedPerson[]>;
  /** Members of the workspace's list of employees, followed or not (D-17). */
  readonly colleagues: () => Promise<ReadonlySet<string>>;
  /** The found top accounts as they are now (D-13), for any launch. */
  readonly topAccounts: () => Promise<readonly string[]>;
  /** Accounts that are covered for the launch (D-16). */
  readonly covered: () => Promise<ReadonlySet<string>>;
  /** The accounts that its audiences narrow it to: found top accounts, covered ones, or both; null: not narrowed. */
  readonly accounts: () => Promise<readonly string[] | null>;
  /** Those about which the launch may report: of a manual one all, otherwise the enabled ones (OP-62). */
  readonly enabled: (companies: readonly CompanyFacts[]) => Promise<readonly CompanyFacts[]>;
  /** The refs of those companies that are on an active customer list. */
  readonly onCustomerLists: (companies: readonly CompanyFacts[]) => Promise<ReadonlySet<string>>;
};

/** A followed member of a list of people that the network knows. */
export type ListedPerson = Pick<Member, 'memberId' | 'addedAt' | 'baselineCompany'> & {
  readonly personRef: string;
};

/** What looking up accounts needs. */
export type AccountsHost = {
  readonly readModels: ReadModels;
  readonly coverage: Coverage;
  readonly topAccounts: TopAccounts;
  readonly directory: NetworkDirectory;
};
export type WatchedHost = AccountsHost & { readonly commands: Commands };

export type WatchedBy = Pick<RunLaunched, 'audiences' | 'coveredFor' | 'now' | 'scope' | 'trigger'> & {
  readonly workspaceId: number;
};

/**
 * Lives as long as the preparation of one batch: a top account that is added or removed changes the following
 * batches. Facts fixed at the launch are the same for each batch.
 */
export function watchedIn(host: WatchedHost, about: WatchedBy): Watched {
  const listed = once(() => listedMembers(host, about));
  return {
    members: once(async () => whoseOf(await listed())),
    people: once(async () => peopleOf(await listed())),
    colleagues: once(() => listedEmployees(host, about.workspaceId)),
    enabled: async (companies) =>
      about.trigger === 'manual'
        ? companies
        : enabledCompanies(host.readModels, about.workspaceId, SIGNAL_DETECTION, companies),
    ...accountsIn(host, about),
  };
}

/** The accounts of a launch, even before it is made. */
export function accountsIn(
  host: AccountsHost,
  about: Omit<WatchedBy, 'scope' | 'trigger'>,
): Omit<Watched, 'members' | 'people' | 'colleagues' | 'enabled'> {
  const topAccounts = once(() => host.topAccounts.refs(about.workspaceId));
  const covered = once(async () => new Set(await coveredAccounts()));
  const accounts = async (): Promise<readonly string[] | null> => {
    const ofTop = about.audiences.includes('top_accounts');
    if (!about.audiences.includes('covered_accounts')) return ofTop ? topAccounts() : null;
    const paid = await covered();
    return ofTop ? (await topAccounts()).filter((ref) => paid.has(ref)) : [...paid].sort();
  };
  return {
    topAccounts,
    covered,
    accounts,
    onCustomerLists: (companies) => onCustomerLists(host.readModels, about.workspaceId, companies),
  };

  async function coveredAccounts(): Promise<readonly string[]> {
    const { workspaceId, coveredFor: personaId, now } = about;
    if (personaId === null) return [];
    return host.coverage.coveredAccounts({ workspaceId, personaId, at: new Date(now) });
  }
}

function once<Value>(look: () => Promise<Value>): () => Promise<Value> {
  let looked: Promise<Value> | null = null;
  return () => (looked ??= look());
}

const RESOLVED_AT_ONCE = 500;

type Listed = {
  readonly entity: 'company' | 'person';
  /** Members by the refs that the network knows. */
  readonly byRef: ReadonlyMap<string, readonly Member[]>;
};

/** The list as it was at the launch. Which members the network knows is looked up now. */
async function listedMembers(
  { commands, directory }: WatchedHost,
  { workspaceId, scope }: WatchedBy,
): Promise<Listed | null> {
  if (scope === undefined) return null;
  const stream = workspaceScoped(workspaceId, scope.listId);
  const launchedOn = await commands.loadAt(list, stream, BigInt(scope.listRevision));
  const isOfPeople = launchedOn.facts !== null && kindOfList(launchedOn.facts.type) === 'profile';
  const entity = isOfPeople ? 'person' : 'company';
  return { entity, byRef: await knownMembers(directory, watchedBy(launchedOn), entity) };
}

function whoseOf(listed: Listed | null): Whose | null {
  if (listed === null) return null;
  const refs = [...listed.byRef.keys()].sort();
  return listed.entity === 'company'
    ? { companyRefs: refs, personRefs: [] }
    : { companyRefs: [], personRefs: refs };
}

function peopleOf(listed: Listed | null): readonly ListedPerson[] {
  if (listed?.entity !== 'person') return [];
  return [...listed.byRef].flatMap(([personRef, members]) =>
    members.map(({ memberId, addedAt, baselineCompany }) => ({
      personRef,
      memberId,
      addedAt,
      baselineCompany,
    })),
  );
}

async function listedEmployees(
  { commands, directory }: WatchedHost,
  workspaceId: number,
): Promise<ReadonlySet<string>> {
  const listId = await commands.load(workspace, String(workspaceId), ({ employeeListId }) => employeeListId);
  if (listId === null) return new Set();
  const members = await commands.load(list, workspaceScoped(workspaceId, listId), ({ membership }) => [
    ...membership.byId.values(),
  ]);
  return new Set((await knownMembers(directory, members, 'person')).keys());
}

function identifiersOf({ handle, domains }: Member, entity: 'company' | 'person'): NetworkIdentifier[] {
  if (handle !== null) return [{ by: 'handle', handle, entity }];
  return domains.map((domain) => ({ by: 'domain', domain }));
}

async function knownMembers(
  directory: NetworkDirectory,
  members: readonly Member[],
  entity: 'company' | 'person',
): Promise<ReadonlyMap<string, readonly Member[]>> {
  const asked = members.flatMap((member) =>
    identifiersOf(member, entity).map((identifier) => ({ member, identifier })),
  );
  const byRef = new Map<string, Member[]>();
  for (const piece of inPieces(asked, RESOLVED_AT_ONCE)) {
    const resolutions = await resolveEntities(
      directory,
      entity,
      piece.map(({ identifier }) => identifier),
    );
    const found = piece.flatMap(({ member }, index) => {
      const resolution = resolutions[index];
      return resolution?.outcome === 'found' ? [{ member, facts: resolution.facts }] : [];
    });
    const reported =
      entity === 'person'
        ? null
        : await observedRefsOf(
            directory,
            found.map(({ facts }) => facts),
          );
    for (const { member, facts } of found) {
      for (const ref of reported?.get(facts.ref) ?? [facts.ref])
        byRef.set(ref, [...(byRef.get(ref) ?? []), member]);
    }
  }
  return byRef;
}
