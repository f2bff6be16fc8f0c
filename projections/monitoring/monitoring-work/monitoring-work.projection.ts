import type { AccountMonitoringEvents } from '#monitoring/domain/account-monitoring.events.js';
import type { MonitoringEvents } from '#monitoring/domain/monitoring.events.js';
import { whenMayPayMore, type PayingEntries } from '#ledger/domain/paying-facts.js';
import type { ListStreamEvents } from '#lists/domain/lists/list.events.js';
import type { TopAccountEvents } from '#accounts/domain/top-accounts/top-accounts.events.js';
import type { PersonasEvents } from '#lists/domain/personas/personas.events.js';
import type { WorkspaceEvents } from '#access/domain/workspaces/workspace.events.js';
import type { Recorded } from '#kernel/events/event.js';
import { projection } from '#kernel/projections/projection.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** The pending background work of a workspace that monitors accounts. */
export type MonitoringWorkDocument = {
  readonly workspaceId: number;
  /** Lists on which monitoring was ever set. */
  readonly listIds: readonly number[];
  /** The number of changes that may change which units are requested. */
  readonly changes: number;
  /** Lists with changes that were not followed yet, with the number of their last change. */
  readonly changed: readonly { readonly listId: number; readonly at: number }[];
  /** The number of the last change of picks; null: they were followed. */
  readonly picksChanged: number | null;
  /** The number of the last change of personas, on which all lists and picks depend; null: they were followed. */
  readonly personasChanged: number | null;
  readonly isChanged: boolean;
  /** The time of the next hourly retry of uncovered units; null: all are covered. */
  readonly retryAt: string | null;
  /** The same, or earlier after a grant or another reason to retry. */
  readonly retryDueAt: string | null;
  /** The number of such reasons since months were first refused, and of all such reasons. */
  readonly wakes: number;
  readonly reasons: number;
  /** How often months were refused. */
  readonly refusals: number;
};

export const monitoringWorkKey = (workspaceId: number): string => String(workspaceId);

type ListPayloads = Pick<
  ListStreamEvents,
  | 'ListChanged'
  | 'ListArchived'
  | 'ListUnarchived'
  | 'ListDeleted'
  | 'ListRestored'
  | 'ListMonitoringSet'
  | 'MembersAdded'
  | 'MembersRemoved'
  | 'MemberTrackingSet'
  | 'MemberMonitoringSet'
>;
type WorkPayloads = ListPayloads &
  Pick<PersonasEvents, 'PersonaCreated' | 'PersonaArchived' | 'PersonaUnarchived'> &
  Pick<TopAccountEvents, 'TopAccountMonitoringPicked' | 'TopAccountRemoved'> &
  Pick<MonitoringEvents, 'MonitoringWanted' | 'MonitoringUnwanted'> &
  AccountMonitoringEvents &
  PayingEntries &
  Pick<WorkspaceEvents, 'WorkspaceUnblocked'>;

type ListFold = (
  work: MonitoringWorkDocument | null,
  event: Recorded<{ readonly listId: number }>,
) => MonitoringWorkDocument | null;

/** A list on which monitoring was set before has changed. */
const listChanged: ListFold = (work, { data: { listId } }) =>
  work?.listIds.includes(listId) === true ? withList(work, listId) : work;

/** Monitoring is set on a list. */
const listMonitored: ListFold = (work, event) => {
  const known = work ?? nothingToDo(workspaceIdOf(event));
  const { listId } = event.data;
  const listIds = known.listIds.includes(listId) ? known.listIds : [...known.listIds, listId];
  return withList({ ...known, listIds }, listId);
};

const personasChanged = (work: MonitoringWorkDocument | null): MonitoringWorkDocument | null => {
  if (work === null) return null;
  const changes = work.changes + 1;
  return { ...work, changes, personasChanged: changes, isChanged: true };
};

/** The written units are checked once more: another writer may have decided on an older state. */
const wishChanged = (
  work: MonitoringWorkDocument | null,
  { data }: Recorded<MonitoringEvents['MonitoringWanted'] | MonitoringEvents['MonitoringUnwanted']>,
): MonitoringWorkDocument | null =>
  work && (data.source.listId === undefined ? withPicks(work) : withList(work, data.source.listId));

export const monitoringWork = projection<MonitoringWorkDocument, WorkPayloads>()({
  name: 'monitoring-work',
  version: 5,
  critical: true,
  indexes: {
    changed: ['isChanged', 'workspaceId'],
    changedOfWorkspace: ['workspaceId', 'isChanged'],
    retries: ['retryDueAt', 'workspaceId'],
  },
  key: (event) => monitoringWorkKey(workspaceIdOf(event)),
  on: {
    ListChanged: listChanged,
    ListArchived: listChanged,
    ListUnarchived: listChanged,
    ListDeleted: listChanged,
    ListRestored: listChanged,
    MembersAdded: listChanged,
    MembersRemoved: listChanged,
    MemberTrackingSet: listChanged,
    ListMonitoringSet: listMonitored,
    MemberMonitoringSet: listMonitored,
    PersonaCreated: personasChanged,
    PersonaArchived: personasChanged,
    PersonaUnarchived: personasChanged,
    TopAccountMonitoringPicked: (work, event) => withPicks(work ?? nothingToDo(workspaceIdOf(event))),
    TopAccountRemoved: (work) => work && withPicks(work),
    MonitoringWanted: wishChanged,
    MonitoringUnwanted: wishChanged,
    // If the process that began is killed, following the list or the picks completes the work.
    MonitoringBegins: (work, { data: { listId } }) =>
      work && (listId === undefined ? withPicks(work) : withList(work, listId)),
    MonitoringBegun: (work) => work,
    MonitoringFollowed: (work, { data: { upTo } }) => {
      if (work === null) return null;
      const changed = work.changed.filter(({ at }) => at > upTo);
      const still = (at: number | null): number | null => (at !== null && at > upTo ? at : null);
      const left = {
        picksChanged: still(work.picksChanged),
        personasChanged: still(work.personasChanged),
      };
      const isChanged = changed.length > 0 || left.picksChanged !== null || left.personasChanged !== null;
      return { ...work, ...left, changed, isChanged };
    },
    MonthsRefused: (work, event) => {
      if (work === null) return null;
      const refused = { ...work, refusals: work.refusals + 1 };
      const isMissed = work.reasons > (event.data.reasons ?? work.reasons);
      return isMissed ? { ...refused, retryDueAt: dueBy(work.retryDueAt, event) } : refused;
    },
    MonthsRetrySet: (work, event) => {
      if (work === null) return null;
      const { retryAt, wakes, reasons } = event.data;
      const isMissed =
        reasons === undefined ? work.wakes > wakes && work.retryDueAt !== null : work.reasons > reasons;
      // Reasons that came after the ledger was read have not been considered yet.
      return { ...work, retryAt, retryDueAt: isMissed ? dueBy(work.retryDueAt, event) : retryAt };
    },
    MonthsObservable: woken,
    MonthsRetryAsked: woken,
    ...whenMayPayMore(woken),
    WorkspaceUnblocked: woken,
  },
});

function nothingToDo(workspaceId: number): MonitoringWorkDocument {
  return {
    workspaceId,
    listIds: [],
    changes: 0,
    changed: [],
    picksChanged: null,
    personasChanged: null,
    isChanged: false,
    retryAt: null,
    retryDueAt: null,
    wakes: 0,
    reasons: 0,
    refusals: 0,
  };
}

function withList(work: MonitoringWorkDocument, listId: number): MonitoringWorkDocument {
  const changes = work.changes + 1;
  const others = work.changed.filter((other) => other.listId !== listId);
  return { ...work, changes, changed: [...others, { listId, at: changes }], isChanged: true };
}

function withPicks(work: MonitoringWorkDocument): MonitoringWorkDocument {
  const changes = work.changes + 1;
  return { ...work, changes, picksChanged: changes, isChanged: true };
}

/** An event after which uncovered units may be paid; no effect if no unit was ever uncovered. */
function woken(work: MonitoringWorkDocument | null, event: Recorded<unknown>): MonitoringWorkDocument | null {
  if (work === null) return null;
  const counted = { ...work, reasons: work.reasons + 1 };
  return work.refusals === 0
    ? counted
    : { ...counted, wakes: work.wakes + 1, retryDueAt: recordedAtOf(event) };
}

/** Now, or the earlier time. */
function dueBy(retryDueAt: string | null, event: Recorded<unknown>): string {
  const now = recordedAtOf(event);
  return retryDueAt !== null && retryDueAt < now ? retryDueAt : now;
}
