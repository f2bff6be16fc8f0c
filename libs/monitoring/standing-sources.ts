import { workspaceScoped } from '#kernel/commands/decider.js';
import { list } from '#lists/domain/lists/list.js';
import { monitors } from '#lists/domain/lists/list-monitoring.js';
import { sourceKey, type MonitoringSource } from './domain/monitoring.events.js';
import { topAccounts } from '#accounts/domain/top-accounts/top-accounts.js';
import { businessUnitsOf } from './business-units.js';
import type { MonitoringHost } from './monitoring-host.js';

/** Whether a reason requests its account for a business unit. */
export type IsStanding = (source: MonitoringSource, personaId: number) => boolean;

/** The business units for which reasons request their account, by `sourceKey`; null: every active one. */
type Wanting = Map<string, readonly number[] | null>;

/**
 * Which of these reasons request their account now, from the streams of the lists, top accounts and personas (OP-26).
 * The requests of accounts follow these streams later, so a stop is visible here first.
 */
export async function standingSources(
  host: Pick<MonitoringHost, 'commands'>,
  workspaceId: number,
  sources: readonly MonitoringSource[],
): Promise<IsStanding> {
  const [active, ...wanting] = await Promise.all([
    businessUnitsOf(host.commands, workspaceId),
    wantedByPicks(host, workspaceId, sources),
    ...[...membersByList(sources)].map(([listId, memberIds]) =>
      wantedByList(host, workspaceId, listId, memberIds),
    ),
  ]);
  const wanted = new Map(wanting.flatMap((each) => [...each]));
  return (source, personaId) => {
    if (!active.includes(personaId)) return false;
    const personaIds = wanted.get(sourceKey(source));
    return personaIds !== undefined && (personaIds === null || personaIds.includes(personaId));
  };
}

function membersByList(sources: readonly MonitoringSource[]): ReadonlyMap<number, readonly number[]> {
  const members = new Map<number, number[]>();
  for (const { kind, listId, memberId } of sources) {
    if (kind !== 'list' || listId === undefined || memberId === undefined) continue;
    const known = members.get(listId);
    if (known === undefined) members.set(listId, [memberId]);
    else known.push(memberId);
  }
  return members;
}

async function wantedByList(
  { commands }: Pick<MonitoringHost, 'commands'>,
  workspaceId: number,
  listId: number,
  memberIds: readonly number[],
): Promise<Wanting> {
  const { wanted, personaIds } = await commands.load(list, workspaceScoped(workspaceId, listId), (state) => ({
    wanted: memberIds.filter((memberId) => monitors(state, memberId)),
    personaIds: [...(state.facts?.personaIds ?? [])],
  }));
  const units = personaIds.length === 0 ? null : personaIds;
  return new Map(wanted.map((memberId) => [sourceKey({ kind: 'list', listId, memberId }), units]));
}

async function wantedByPicks(
  { commands }: Pick<MonitoringHost, 'commands'>,
  workspaceId: number,
  sources: readonly MonitoringSource[],
): Promise<Wanting> {
  const picked = sources.flatMap(({ kind, accountId }) =>
    kind === 'pick' && accountId !== undefined ? [accountId] : [],
  );
  if (picked.length === 0) return new Map();
  const wanted = await commands.load(topAccounts, String(workspaceId), ({ accounts }) =>
    picked.map((accountId) => ({ accountId, personaIds: [...(accounts.get(accountId)?.pickedFor ?? [])] })),
  );
  return new Map(
    wanted.map(({ accountId, personaIds }) => [sourceKey({ kind: 'pick', accountId }), personaIds]),
  );
}
