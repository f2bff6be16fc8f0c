import { contextOfStep, workspaceScoped } from '#kernel/commands/decider.js';
import { inPieces } from '#kernel/values/pieces.js';
import type { NetworkIdentifier } from '#kernel/values/network-identifiers.js';
import { companyStub, observedCompanyOf } from '#identities/observed-facts.js';
import { list } from '#lists/domain/lists/list.js';
import { monitoredBy } from '#lists/domain/lists/list-monitoring.js';
import { identityClaims } from '#identities/claim-identities.js';
import type { MonitoringSource } from './domain/monitoring.events.js';
import { businessUnitsOf } from './business-units.js';
import { beginTogether, openBeginnings } from './begin-together.js';
import { requestsOfLists } from './list-requests.js';
import type { MonitoringHost, MonitoringTask } from './monitoring-host.js';
import { changedUnits, isSameRequest, type RequestChange } from './write-requests.js';

/** The members of a list member that identify its company. */
type WantedMember = {
  readonly memberId: number;
  readonly handle: string | null;
  readonly networkUrl: string | null;
  readonly domains: readonly string[];
};

const MEMBERS_AT_ONCE = 250;
const NO_UNITS: ReadonlySet<number> = new Set();

/**
 * Writes the requests of a list: each of its business units requests each member that the list wants monitored (OP-26),
 * and no other. Idempotent, also after a stop in between. If the requests of more than `most` units would change, nothing
 * is written (`too many`). `late`: the read models have not applied all events in time.
 */
export async function followList(
  host: MonitoringHost,
  task: MonitoringTask,
  listId: number,
  most = Number.POSITIVE_INFINITY,
): Promise<'shown' | 'late' | 'too many'> {
  const { workspaceId } = task;
  // Before the list is read, so that the list includes every request of these beginnings.
  const joined = await openBeginnings(host, workspaceId, listId);
  const [wanted, active, known] = await Promise.all([
    wantedOf(host, workspaceId, listId),
    businessUnitsOf(host.commands, workspaceId),
    requestsOfLists(host.readModels, workspaceId, [listId]),
  ]);
  const personaIds = wanted.personaIds.length === 0 ? active : wanted.personaIds;
  const units = new Set(personaIds.filter((id) => active.includes(id)));
  const isKnown = new Set(known.map(({ memberId }) => memberId));
  const newcomers = wanted.members.filter(({ memberId }) => !isKnown.has(memberId));
  const isWanted = new Set(wanted.members.map(({ memberId }) => memberId));
  const sourceOf = (memberId: number): MonitoringSource => ({ kind: 'list', listId, memberId });
  const changesOfKnown = known
    .map(({ memberId, companyId, personaIds: before }): RequestChange => ({
      source: sourceOf(memberId),
      companyId,
      before,
      after: isWanted.has(memberId) ? units : NO_UNITS,
    }))
    .filter((change) => !isSameRequest(change));
  const changing = changesOfKnown.reduce((sum, change) => sum + changedUnits(change), 0);
  if (changing + newcomers.length * units.size > most) return 'too many';
  const companyIds = units.size === 0 ? new Map<number, number>() : await companiesOf(host, task, newcomers);
  const changes: readonly RequestChange[] = [
    ...changesOfKnown,
    ...[...companyIds].map(([memberId, companyId]) => ({
      source: sourceOf(memberId),
      companyId,
      before: [],
      after: units,
    })),
  ];
  return beginTogether(host, task, { cause: listId, joined }, changes);
}

/** The members that the current list requests, and their business units; none named: all. */
function wantedOf(
  { commands }: MonitoringHost,
  workspaceId: number,
  listId: number,
): Promise<{ readonly members: readonly WantedMember[]; readonly personaIds: readonly number[] }> {
  return commands.load(list, workspaceScoped(workspaceId, listId), (state) => ({
    members: monitoredBy(state).map(({ memberId, handle, networkUrl, domains }) => ({
      memberId,
      handle,
      networkUrl,
      domains,
    })),
    personaIds: state.facts?.personaIds ?? [],
  }));
}

/** The companies of members, by member: an unknown company gets its id here. */
async function companiesOf(
  host: MonitoringHost,
  task: MonitoringTask,
  members: readonly WantedMember[],
): Promise<ReadonlyMap<number, number>> {
  const claims = identityClaims(host, task.workspaceId, (step) => contextOfStep(task.context, step));
  const companyIds = new Map<number, number>();
  for (const piece of inPieces(members, MEMBERS_AT_ONCE)) {
    const resolutions = await host.directory.resolveCompanies(piece.map(identifierOf));
    const claimed = await claims.claimCompanies(
      piece.map(({ handle, domains, networkUrl }, index) => {
        const resolution = resolutions[index];
        return resolution?.outcome === 'found'
          ? observedCompanyOf(resolution.facts)
          : companyStub({ handle, domain: domains[0] ?? null, networkUrl });
      }),
    );
    piece.forEach(({ memberId }, index) => companyIds.set(memberId, claimed[index] ?? 0));
  }
  return companyIds;
}

const identifierOf = ({ handle, domains }: WantedMember): NetworkIdentifier =>
  handle === null ? { by: 'domain', domain: domains[0] ?? '' } : { by: 'handle', handle, entity: 'company' };
