import type { Clock } from '#kernel/ports/clock.js';
import { START, type EventStore } from '#kernel/ports/event-store.port.js';
import type { Projection } from '#kernel/projections/projection.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import { aheadLease, groupLease } from './group-lease.js';
import { holderOf } from './held-lease.js';
import { generationKey, loadHalts, loadParkedKeys, workspacesByGeneration } from './parked.js';
import { projectionLags, type Standing } from './projection-lags.js';
import { viewKey, type ProjectionGroup } from './registry.js';
import { misfitNote, misfitReason, type MisfitNote } from './misfit-note.js';
import { announcedViews } from './announced-views.js';
import { scanned } from './projected-view.js';

/** A view version that queries cannot read yet. */
export type NotCaughtUp = {
  readonly name: string;
  readonly version: number;
  /** False if no worker knows this version: it will not catch up. */
  readonly isBuilt: boolean;
};

/** Views that were filled from events that are no longer in the log, and the progress of their rebuild. */
export type BuiltAnew = {
  /** Why, for people. */
  readonly reason: string;
  readonly views: number;
  /** The number of views that are served again. */
  readonly ready: number;
  /** The number of events that the other views have read. */
  readonly events: number;
  /** False if no worker builds them. */
  readonly isBuilt: boolean;
};

export type Readiness = {
  /** False while a projection has not caught up the first time, is rebuilt, is halted or is far behind. */
  readonly ready: boolean;
  readonly builtAnew: readonly BuiltAnew[];
  /** Views with a log mismatch in this process that another process leads and serves. */
  readonly unserved: readonly string[];
  readonly notCaughtUp: readonly NotCaughtUp[];
  readonly halted: readonly { readonly name: string; readonly reason: string }[];
  /** Projections with parked workspaces: degraded, because the other workspaces are served. */
  readonly parked: readonly { readonly name: string; readonly workspaceIds: readonly string[] }[];
  /** The age of the first unhandled event, if it is more than the usual time of projecting. */
  readonly behind: readonly { readonly name: string; readonly lagSeconds: number }[];
  /** The group, if no process projects it now: new events are shown later. */
  readonly unled: readonly string[];
};

export type ReadinessStores = {
  readonly events: EventStore;
  readonly reads: ReadStore;
  /** The clock for the ages of events. */
  readonly clock: Clock;
};

/** A lag from this value on is reported; below it a projection is at work. */
const BEHIND_SECONDS = 5;
/** With this lag answers are too old: not ready. */
export const FAR_BEHIND_SECONDS = 60;

/** The stored state of all projections: the same in every process. It takes few reads, because it is polled. */
export async function projectionsReadiness(
  stores: ReadinessStores,
  { name: groupName, projections }: ProjectionGroup,
  unserved: readonly string[] = [],
): Promise<Readiness> {
  const { reads } = stores;
  // The note is put before its views are removed, and deleted after they are built: it is read before and, if there was
  // none, after them.
  const noteBefore = await misfitNote(reads, groupName);
  const standings = await Promise.all(projections.map((projection) => standingOf(reads, projection)));
  const [parkedKeys, halts, lease, lags] = await Promise.all([
    loadParkedKeys(reads),
    loadHalts(reads),
    reads.lease(groupLease(groupName)),
    projectionLags(stores, standings),
  ]);
  const parkedByGeneration = workspacesByGeneration(parkedKeys);
  const shown = standings.flatMap(({ projection, live, newest }) =>
    newest === null
      ? []
      : [{ name: projection.name, live, key: generationKey({ view: projection, generation: newest }) }],
  );
  const halted = shown.flatMap(({ name, key }) => {
    const reason = halts.get(key)?.reason;
    return reason === undefined ? [] : [{ name, reason }];
  });
  const parked = shown.flatMap(({ name, key }) => {
    const workspaceIds = parkedByGeneration.get(key);
    return workspaceIds === undefined ? [] : [{ name, workspaceIds }];
  });
  const unbuilt = await markBuilt(
    reads,
    groupName,
    standings.filter(({ live }) => live === null).map(({ projection }) => projection),
  );
  const note = noteBefore ?? (unbuilt.length === 0 ? null : await misfitNote(reads, groupName));
  const builtAnew = note === null ? [] : [builtAnewBy(note, standings, unbuilt)];
  // One reason stands for all of them.
  const anew = new Set(note?.views);
  const notCaughtUp = unbuilt.filter(({ name }) => !anew.has(name));
  const behind = [...lags]
    .filter(([, lagSeconds]) => lagSeconds >= BEHIND_SECONDS)
    .map(([name, lagSeconds]) => ({ name, lagSeconds }));
  const isFarBehind = behind.some(({ lagSeconds }) => lagSeconds >= FAR_BEHIND_SECONDS);
  const ready =
    halted.length === 0 &&
    unbuilt.length === 0 &&
    builtAnew.length === 0 &&
    unserved.length === 0 &&
    !isFarBehind;
  const unled = holderOf(lease) === null ? [groupName] : [];
  return { ready, builtAnew, unserved, notCaughtUp, halted, parked, behind, unled };
}

function builtAnewBy(
  note: MisfitNote,
  standings: readonly FullStanding[],
  unbuilt: readonly NotCaughtUp[],
): BuiltAnew {
  const own = standings.filter(({ projection }) => note.views.includes(projection.name));
  const left = own.filter(({ live }) => live === null);
  return {
    reason: misfitReason(note),
    views: own.length,
    ready: own.length - left.length,
    events: left.reduce((sum, { events }) => sum + events, 0),
    isBuilt: unbuilt.every(({ name, isBuilt }) => isBuilt || !note.views.includes(name)),
  };
}

/** The stored live generation or, if there is none yet, the newest. */
export type FullStanding = Standing & { readonly newest: number | null; readonly events: number };

/** The progress of a projection. It takes few reads, because it is polled. */
export async function standingOf(reads: ReadStore, projection: Projection): Promise<FullStanding> {
  const { live, all } = await reads.generations(projection);
  const newest = live ?? all.at(-1) ?? null;
  const checkpoint =
    newest === null ? null : await reads.checkpoint({ view: projection, generation: newest });
  const events = checkpoint === null ? 0 : scanned(checkpoint);
  return { projection, live, newest, events, position: checkpoint?.position ?? START };
}

async function markBuilt(
  reads: ReadStore,
  groupName: string,
  views: readonly Projection[],
): Promise<readonly NotCaughtUp[]> {
  if (views.length === 0) return [];
  const leases = [groupLease(groupName), aheadLease(groupName)];
  const rolls = await Promise.all(leases.map((lease) => announcedViews(reads, lease)));
  return views.map((view) => ({
    name: view.name,
    version: view.version,
    isBuilt: rolls.some((announcement) => announcement?.has(viewKey(view)) === true),
  }));
}
