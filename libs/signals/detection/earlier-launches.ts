import type { Commands } from '#kernel/commands/commands.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import { requireReached, type ReadModelProgress, type WrittenEvents } from '#kernel/ports/progress.port.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { JsonValue } from '#kernel/values/json.js';
import { paidElsewhere } from '#ledger/charging/paid-elsewhere.js';
import { namedSource } from '#signals/domain/launches/launches.js';
import { leadIdsOf } from '#identities/find-leads.js';
import type { RunLaunched } from '#signals/domain/launches/launch.events.js';
import { signalRun } from '#signals/domain/runs/signal-run.js';
import type { UnreadRun } from './detector.js';
import type { PersonFacts } from '#network/network-directory.port.js';
import {
  checkedMemberKey,
  checkedMembers,
} from '#projections/signals/checked-members/checked-members.projection.js';
import { detections } from '#projections/signals/detections/detections.projection.js';
import { signalRuns } from '#projections/signals/signal-runs/signal-runs.projection.js';
import {
  surfacedLeadKey,
  surfacedLeads,
} from '#projections/signals/surfaced-leads/surfaced-leads.projection.js';

const READ_MODELS_TIMEOUT_MS = 5_000;

/**
 * Waits until the read models include the detections and checked members of a workspace's launches up to a position.
 * Before that, `earlierSubjects` would miss known subjects. Throws `ReadModelUnavailable` if they are late.
 */
export async function requireEarlierLaunches(
  progress: ReadModelProgress,
  upTo: Omit<WrittenEvents, 'types'>,
): Promise<void> {
  const models = [detections, surfacedLeads, checkedMembers];
  const types = [...new Set(models.flatMap(({ on }) => Object.keys(on)))];
  const behind = 'the models of what was detected and checked are behind the launch';
  await requireReached(progress, { ...upTo, types }, READ_MODELS_TIMEOUT_MS, behind);
}

/** The agent or setup whose earlier launches are queried. */
type Launcher = { readonly workspaceId: number; readonly source: RunLaunched['source'] };
type Host = { readonly commands: Commands; readonly readModels: ReadModels };

/**
 * The subjects that an earlier launch of the agent or setup detected, or that were paid for in the system from which
 * the workspace was imported.
 */
export async function earlierSubjects(
  host: Host,
  launcher: Launcher,
  subjects: readonly string[],
): Promise<ReadonlySet<string>> {
  const { workspaceId } = launcher;
  const [detected, paid] = await Promise.all([
    detectedSubjects(host, launcher, subjects),
    paidElsewhere(host, workspaceId, subjects, namedSource(launcher.source)),
  ]);
  return new Set([...detected, ...paid]);
}

async function detectedSubjects(
  { readModels }: Host,
  { workspaceId, source }: Launcher,
  subjects: readonly string[],
): Promise<readonly string[]> {
  // Answered from the index alone, because only the subject is needed.
  const earlier = await readModels.groups(
    detections,
    { where: { workspaceId, sourceId: source.id, subject: { in: subjects } } },
    { by: ['subject'] },
  );
  return earlier.map(({ by: [subject] }) => String(subject));
}

/** What a run of this launch asks about earlier launches. `launchId`: null for a launch that does not exist yet. */
export const earlierLaunches = (
  host: Host,
  launcher: Launcher,
  launchId: number | null,
): Pick<UnreadRun, 'checkedAfter' | 'surfacedBefore' | 'previousEnd'> => ({
  checkedAfter: (memberIds, moment) => checkedMembersAfter(host, launcher, memberIds, moment),
  surfacedBefore: (people) => surfacedBefore(host, launcher, people, launchId),
  previousEnd: async () => (launchId === null ? null : previousEnd(host, launcher, launchId)),
});

/**
 * The `resume` of the last page of the newest earlier run that the list of runs shows. A list that is behind shows an older
 * one: then a search begins elsewhere, and finds the same.
 */
async function previousEnd(
  { commands, readModels }: Host,
  { workspaceId, source }: Launcher,
  launchId: number,
): Promise<JsonValue> {
  const newest = await readModels.find(signalRuns, {
    where: { workspaceId, listed: true, sourceId: source.id },
    sort: [
      ['createdAt', 'desc'],
      ['id', 'desc'],
    ],
    limit: 2,
  });
  const previous = newest.find((run) => run.launchId < launchId);
  if (previous === undefined) return null;
  return commands.load(signalRun, workspaceScoped(workspaceId, previous.id), ({ resume }) => resume);
}

/** The members that runs of the same agent or setup checked after a moment. */
async function checkedMembersAfter(
  { readModels }: Pick<Host, 'readModels'>,
  { workspaceId, source }: Launcher,
  memberIds: readonly number[],
  moment: Date,
): Promise<ReadonlySet<number>> {
  const keyOf = (memberId: number): string => checkedMemberKey(workspaceId, source.id, memberId);
  const checked = await readModels.getMany(checkedMembers, memberIds.map(keyOf));
  const since = moment.toISOString();
  return new Set(memberIds.filter((memberId) => (checked.get(keyOf(memberId))?.checkedAt ?? '') > since));
}

/**
 * Refs of people who are the lead of a finding of this agent in an earlier launch (D-44), or were paid for in the
 * system from which the workspace was imported.
 */
async function surfacedBefore(
  host: Host,
  { workspaceId, source }: Launcher,
  people: readonly PersonFacts[],
  launchId: number | null,
): Promise<ReadonlySet<string>> {
  if (source.kind !== 'agent') return new Set();
  const leadIds = await Promise.all(people.map((person) => leadIdsOf(host.commands, workspaceId, person)));
  const keys = leadIds.map((own) => own.map((leadId) => surfacedLeadKey(workspaceId, source.id, leadId)));
  const surfaced = await host.readModels.getMany(surfacedLeads, [...new Set(keys.flat())]);
  const subjectOf = ({ ref }: PersonFacts): string => `lead:${ref}`;
  const paid = await paidElsewhere(host, workspaceId, people.map(subjectOf), namedSource(source));
  const isEarlier = (key: string): boolean => {
    const first = surfaced.get(key);
    return first !== undefined && first.launchId !== launchId;
  };
  const isSurfaced = (person: PersonFacts, index: number): boolean =>
    keys[index]?.some(isEarlier) === true || paid.has(subjectOf(person));
  return new Set(people.filter(isSurfaced).map(({ ref }) => ref));
}
