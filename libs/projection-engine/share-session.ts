import { setTimeout as pause } from 'node:timers/promises';
import { START, type EventBatch, type Position, type StoredEvent } from '#kernel/ports/event-store.port.js';
import {
  LeaseLost,
  type KeptShare,
  type ProjectionWrite,
  type ReadStore,
  type ShareCheckpoint,
} from '#kernel/ports/read-store.port.js';
import type { Projection } from '#kernel/projections/projection.js';
import { documentCache, type CacheBounds } from './document-cache.js';
import { markOf } from './fit.js';
import { follow } from './follow.js';
import type { HeldLease } from './held-lease.js';
import { inbox } from './inbox.js';
import { generationKey, loadParked } from './parked.js';
import type { AroundSlice, Pace, ProjectorContext } from './project-batch.js';
import type { ProjectedView } from './projected-view.js';
import { followedViews } from './session-views.js';
import { placeOfShare } from './share-merge.js';
import { addedCounts, plannedGenerations, shareOfEvent, type SharePlan } from './share-plan.js';

/** An event without a workspace, up to this position, cannot be folded. The merge of the shares halts the view there. */
export class ShareHalted extends Error {
  constructor(
    share: string,
    readonly upTo: Position,
  ) {
    super(`an event of ${share} cannot be folded, and it belongs to no workspace`);
    this.name = 'ShareHalted';
  }
}

/**
 * Commands are decided in other processes, and each slice moves the checkpoint of every share: events gather at least so
 * long, and for as long as the last slice took. The first event after a rest does not wait.
 */
const LEAST_GATHERING_MS = 10;

export type ShareSessionOptions = {
  readonly context: Pick<ProjectorContext, 'events' | 'reads' | 'decode'>;
  readonly projections: readonly Projection[];
  readonly plan: SharePlan;
  /** The name of the share. */
  readonly name: string;
  /** The lease of the share. */
  readonly lease: HeldLease;
  readonly pace: Pace;
  readonly cacheBounds: CacheBounds;
  readonly aroundSlice: AroundSlice | undefined;
  readonly onBatch?: (batch: EventBatch) => void;
  /** Called after every write. */
  readonly onProgress: () => void;
};

export type ShareSession = ReturnType<typeof shareSession>;

/** The work on one share of a plan, from taking its lease to releasing it. */
export function shareSession(options: ShareSessionOptions) {
  const { context, plan, name, lease, pace } = options;
  const { reads } = context;
  const box = inbox();
  const followed = followedViews();
  let checkpoint: ShareCheckpoint | null = null;
  let stopping = false;
  lease.onLost(() => box.fail(new LeaseLost(name)));

  const save = async (writes: readonly ProjectionWrite[], last: StoredEvent): Promise<void> => {
    const counts = { ...checkpoint?.counts };
    for (const { generation, checkpoint: one } of writes)
      counts[generationKey(generation)] = addedCounts(one);
    const next = { position: last.position, event: markOf(last), counts };
    await reads.writeShare(writes, next, lease.fence());
    checkpoint = next;
  };

  /** Follows a slice: its writes go to the share, and a slice without events of the share moves the checkpoint, too. */
  let current: StoredEvent | null = null;
  const shareReads: ReadStore = {
    ...reads,
    write: async (writes) => {
      const last = current;
      // Only a halted view stops before the end of a slice.
      if (last === null || writes.some((one) => one.checkpoint.position !== last.position))
        throw new ShareHalted(name, last?.position ?? START);
      await save(writes, last);
    },
  };
  const aroundSlice: AroundSlice = async (events, work) => {
    current = events.at(-1) ?? null;
    const result = await (options.aroundSlice?.(events, work) ?? work());
    if (current !== null && current.position > (checkpoint?.position ?? '')) await save([], current);
    // A subscription that was dropped continues at the checkpoints, also at those of views without events in this share.
    if (checkpoint !== null)
      for (const view of followed.all())
        view.checkpoint = { ...view.checkpoint, ...placeOfShare(checkpoint) };
    return result;
  };

  const openViews = async (kept: KeptShare): Promise<void> => {
    for (const { view, generation } of plannedGenerations(plan, options.projections)) {
      const opened = { view, generation };
      const projectedView: ProjectedView = {
        projection: view,
        generation: opened,
        cache: documentCache(options.cacheBounds, false),
        parked: await loadParked(reads, opened),
        checkpoint: {
          ...placeOfShare(kept),
          ...addedCounts(kept.counts[generationKey(opened)]),
        },
        position: kept.position,
        settledAt: null,
        trailing: false,
        halt: null,
        isNew: false,
      };
      followed.join(projectedView);
    }
  };

  return {
    /** Projects the events of the share's partitions until stopped. Rejects with `LeaseLost`, `ShareHalted` or another error. */
    run: async (): Promise<void> => {
      try {
        const kept = (await reads.shares()).find((share) => share.name === name);
        if (kept === undefined) throw new LeaseLost(name);
        checkpoint = kept;
        await openViews(kept);
        const place = plan.shares.findIndex((share) => share.name === name);
        const shareOf = shareOfEvent(plan);
        const own: ProjectorContext = {
          ...context,
          reads: shareReads,
          fence: lease.fence,
          takes: (projection, event) => shareOf(projection, event) === place,
        };
        while (!stopping)
          await follow({
            context: own,
            pace,
            box,
            followed,
            aroundSlice,
            onProgress: options.onProgress,
            ...(options.onBatch === undefined ? {} : { onBatch: options.onBatch }),
            isStopping: () => stopping,
            gather: (mostMs) => pause(Math.max(LEAST_GATHERING_MS, mostMs)),
          });
      } finally {
        box.close(new Error(`the work on ${name} stopped`));
      }
    },
    /** Finishes the slice, and lets `run` resolve. */
    stop: (): void => {
      stopping = true;
      box.wake();
    },
    fail: box.fail,
    /** The checkpoint as it was last written; null before it was read. */
    checkpoint: (): ShareCheckpoint | null => checkpoint,
  };
}
