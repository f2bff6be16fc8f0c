import { workspaceScoped } from '#kernel/commands/decider.js';
import { inPieces } from '#kernel/values/pieces.js';
import type { NetworkIdentifier } from '#kernel/values/network-identifiers.js';
import { companyStub, observedCompanyOf } from '#identities/observed-facts.js';
import { list } from '#lists/domain/lists/list.js';
import { monitoredBy } from '#lists/domain/lists/list-monitoring.js';
import { monitoredAccount, wantBecauseOf } from './domain/monitored-account.js';
import { identityClaims } from '#identities/claim-identities.js';
import {
  monitoredMembers,
  type MonitoredMemberDocument,
} from '#projections/monitoring/monitored-members/monitored-members.projection.js';
import { activePersonas } from './active-personas.js';
import { beginTogether, openBeginnings } from './begin-together.js';
import { stepOf, type MonitoringHost, type MonitoringTask } from './monitoring-host.js';
import { standingSources } from './standing-sources.js';

/** The members of a list member that identify its company. */
type WantedMember = {
  readonly memberId: number;
  readonly handle: string | null;
  readonly networkUrl: string | null;
  readonly domains: readonly string[];
};

const MEMBERS_AT_ONCE = 250;

/**
 * Writes the requests of a list: each of its business units requests each member that the list wants monitored (OP-26),
 * and no other. Idempotent, also after a stop in between. If more than `most` units would be requested, nothing is
 * written (`too many`). `late`: the read models have not applied all events in time.
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
    activePersonas(host.commands, workspaceId),
    knownMembers(host, workspaceId, listId),
  ]);
  const personaIds = wanted.personaIds.length === 0 ? active : wanted.personaIds;
  const units = new Set(personaIds.filter((id) => active.includes(id)));
  if (wanted.members.length * units.size > most) return 'too many';
  const newcomers = wanted.members.filter(({ memberId }) => !known.has(memberId));
  const companyIds = units.size === 0 ? new Map<number, number>() : await companiesOf(host, task, newcomers);
  const isWanted = new Set(wanted.members.map(({ memberId }) => memberId));
  const changes: readonly Change[] = [
    ...[...known.values()].flatMap(({ memberId, companyId, personaIds: before }) => {
      const after = isWanted.has(memberId) ? units : new Set<number>();
      return isSame(before, after) ? [] : [{ memberId, companyId, before, after }];
    }),
    ...[...companyIds].map(([memberId, companyId]) => ({ memberId, companyId, before: [], after: units })),
  ];
  const isNew = changes.some(({ after, before }) => [...after].some((id) => !before.includes(id)));
  return beginTogether(host, task, { cause: listId, joined, isNew }, (beginsAt) =>
    write(host, task, { listId, changes, beginsAt }),
  );
}

type Change = {
  readonly memberId: number;
  readonly companyId: number;
  readonly before: readonly number[];
  readonly after: ReadonlySet<number>;
};
type Changes = { readonly listId: number; readonly changes: readonly Change[]; readonly beginsAt: string };

async function write(
  host: MonitoringHost,
  task: MonitoringTask,
  { listId, changes, beginsAt }: Changes,
): Promise<'shown' | 'late'> {
  let isLate = false;
  const endsAt = host.clock.now().toISOString();
  for (const piece of inPieces(changes, MEMBERS_AT_ONCE)) {
    const sources = piece.map(({ memberId }) => ({ kind: 'list', listId, memberId }) as const);
    const isStanding = await standingSources(host, task.workspaceId, sources);
    // Requests that the list has stopped meanwhile are left to the next run.
    const standing = piece.filter(
      ({ memberId, after }) =>
        after.size === 0 || [...after].some((id) => isStanding({ kind: 'list', listId, memberId }, id)),
    );
    const handled = await Promise.all(
      standing.map(({ memberId, companyId, after }) =>
        host.commands.handle(
          monitoredAccount,
          workspaceScoped(task.workspaceId, companyId),
          wantBecauseOf({ kind: 'list', listId, memberId }, after, after.size === 0 ? endsAt : beginsAt),
          // Each is awaited, because concurrent commands may be written in any order.
          { context: stepOf(task, `want:${listId}:${memberId}`) },
        ),
      ),
    );
    isLate ||= handled.some(({ late }) => late === true);
  }
  return isLate ? 'late' : 'shown';
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

async function knownMembers(
  { readModels }: MonitoringHost,
  workspaceId: number,
  listId: number,
): Promise<ReadonlyMap<number, MonitoredMemberDocument>> {
  const found = await readModels.find(monitoredMembers, {
    where: { workspaceId, listId },
  });
  return new Map(found.map((member) => [member.memberId, member]));
}

const isSame = (before: readonly number[], after: ReadonlySet<number>): boolean =>
  before.length === after.size && before.every((id) => after.has(id));

/** The companies of members, by member: an unknown company gets its id here. */
async function companiesOf(
  host: MonitoringHost,
  task: MonitoringTask,
  members: readonly WantedMember[],
): Promise<ReadonlyMap<number, number>> {
  const claims = identityClaims(host, task.workspaceId, (step) => stepOf(task, step));
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
