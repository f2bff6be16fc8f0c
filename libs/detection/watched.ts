import type { Commands } from '#kernel/commands/commands.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import type { NetworkIdentifier } from '#kernel/values/network-identifiers.js';
import { inPieces } from '#kernel/values/pieces.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { kindOfList } from '#domain/lists/list.events.js';
import { list, watchedBy } from '#domain/lists/list.js';
import type { Member } from '#domain/lists/membership.js';
import type { RunLaunched } from '#domain/signal-launches/launch.events.js';
import {
  resolveEntities,
  type CompanyFacts,
  type NetworkDirectory,
} from '#network/network-directory.port.js';
import type { Whose } from '#network/network-source.port.js';
import { topAccounts, type TopAccountDocument } from '#projections/top-accounts/top-accounts.projection.js';
import type { Coverage } from './coverage.port.js';
import { onCustomerLists } from './customer-lists.js';

/** Whom a launch looks at, by network ref. Asked as often as needed: each is looked up once. */
export type Watched = {
  /** Members whom its list followed when it was launched and whom the network knows; null: it is about no list. */
  readonly members: () => Promise<Whose | null>;
  /** Found top accounts as they are now (D-13), whatever the launch is about. */
  readonly topAccounts: () => Promise<readonly string[]>;
  /** Accounts that are covered for the launch (D-16). */
  readonly covered: () => Promise<ReadonlySet<string>>;
  /** The accounts that its audiences narrow it to: found top accounts, covered ones, or both; null: to none. */
  readonly accounts: () => Promise<readonly string[] | null>;
  /** Which of these companies are on a customer list that is in use now, by ref. */
  readonly onCustomerLists: (companies: readonly CompanyFacts[]) => Promise<ReadonlySet<string>>;
};

/** Where accounts are looked up. */
export type AccountsHost = { readonly readModels: ReadModels; readonly coverage: Coverage };
export type WatchedHost = AccountsHost & {
  readonly commands: Commands;
  readonly directory: NetworkDirectory;
};

export type WatchedBy = Pick<RunLaunched, 'audiences' | 'coveredFor' | 'now' | 'scope'> & {
  readonly workspaceId: number;
};

/**
 * Lives as long as one batch is prepared: a top account that is taken off its list is not looked at by the batches
 * that follow, one that is added is. What was fixed at launch is the same in each.
 */
export function watchedIn(host: WatchedHost, about: WatchedBy): Watched {
  return { members: once(() => listMembers(host, about)), ...accountsIn(host, about) };
}

/** The accounts that a launch is about, also before it is made. */
export function accountsIn(host: AccountsHost, about: Omit<WatchedBy, 'scope'>): Omit<Watched, 'members'> {
  const topAccounts = once(() => foundTopAccounts(host.readModels, about.workspaceId));
  const covered = once(async () => new Set(await coveredAccounts(host.coverage, about)));
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
}

function once<Value>(look: () => Promise<Value>): () => Promise<Value> {
  let looked: Promise<Value> | null = null;
  return () => (looked ??= look());
}

async function coveredAccounts(
  coverage: Coverage,
  { workspaceId, coveredFor, now }: Omit<WatchedBy, 'scope'>,
): Promise<readonly string[]> {
  if (coveredFor === null) return [];
  return coverage.coveredAccounts({ workspaceId, personaId: coveredFor, at: new Date(now) });
}

const TOP_ACCOUNTS_AT_ONCE = 1_000;

async function foundTopAccounts(readModels: ReadModels, workspaceId: number): Promise<readonly string[]> {
  const companyRefs: string[] = [];
  for (let after = 0; ;) {
    const page = await readModels.find<TopAccountDocument>(topAccounts, {
      where: { workspaceId },
      sort: [['id', 'asc']],
      after: [after],
      limit: TOP_ACCOUNTS_AT_ONCE,
    });
    companyRefs.push(...page.flatMap(({ companyRef }) => (companyRef === null ? [] : [companyRef])));
    const last = page.at(-1);
    if (last === undefined || page.length < TOP_ACCOUNTS_AT_ONCE) return companyRefs;
    after = last.id;
  }
}

const RESOLVED_AT_ONCE = 500;

/** The list as it was at the launch; who of it the network knows is asked now. */
async function listMembers(
  { commands, directory }: WatchedHost,
  { workspaceId, scope }: WatchedBy,
): Promise<Whose | null> {
  if (scope === undefined) return null;
  const stream = workspaceScoped(workspaceId, scope.listId);
  const launchedOn = await commands.loadAt(list, stream, BigInt(scope.listRevision));
  const isOfPeople = launchedOn.facts !== null && kindOfList(launchedOn.facts.type) === 'profile';
  const entity = isOfPeople ? 'person' : 'company';
  const identifiers = watchedBy(launchedOn).flatMap((member) => identifierOf(member, entity));
  const refs = await refsOf(directory, identifiers, entity);
  return entity === 'company' ? { companyRefs: refs, personRefs: [] } : { companyRefs: [], personRefs: refs };
}

function identifierOf({ handle, domains }: Member, entity: 'company' | 'person'): NetworkIdentifier[] {
  if (handle !== null) return [{ by: 'handle', handle, entity }];
  return domains.map((domain) => ({ by: 'domain', domain }));
}

async function refsOf(
  directory: NetworkDirectory,
  identifiers: readonly NetworkIdentifier[],
  entity: 'company' | 'person',
): Promise<readonly string[]> {
  const refs = new Set<string>();
  for (const piece of inPieces(identifiers, RESOLVED_AT_ONCE)) {
    const resolutions = await resolveEntities(directory, entity, piece);
    for (const resolution of resolutions) if (resolution.outcome === 'found') refs.add(resolution.facts.ref);
  }
  return [...refs].sort();
}
