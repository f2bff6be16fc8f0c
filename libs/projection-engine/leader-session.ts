import type { EventBatch } from '#kernel/ports/event-store.port.js';
import { catchingUp } from './catching-up.js';
import { follow } from './follow.js';
import { inbox, type Inbox } from './inbox.js';
import { loadMeter } from './load-meter.js';
import { deleteMisfitNote } from './misfit-note.js';
import { writeIdleCheckpoints, type AroundSlice } from './project-batch.js';
import type { ProjectedView } from './projected-view.js';
import { readyRebuilds, type RebuildNote } from './rebuild-note.js';
import {
  answerRequests,
  answerSweep,
  RetryRefused,
  retryRequests,
  type RetryOutcome,
} from './retry-request.js';
import { retryView } from './retry-view.js';
import { dropAll, endEarlierPlan, openRebuilds, takeUpViews } from './session-opening.js';
import { followedViews, type SessionViews } from './session-views.js';
import { shareLead, type ShareLead, type ShareLeadOptions } from './share-lead.js';
import type { MergeOptions } from './share-merge.js';
import { sharePlan } from './share-plan.js';
import { TermEnded } from './term-ended.js';
import { tombstoneSweep } from './tombstones.js';

export type SessionOptions = MergeOptions & {
  readonly aroundSlice: AroundSlice | undefined;
  /** With whom projecting is shared; null if this session projects everything. */
  readonly sharing: Pick<ShareLeadOptions, 'holder' | 'members' | 'afterMs' | 'onFailure'> | null;
  /** Called after every write, when waiting readers may continue. */
  readonly onProgress: () => void;
  /** Removes other data that came from events that no longer exist. May be called again after a crash. */
  readonly onMisfit: () => Promise<void>;
};

/** One term of a group's leader, from taking the lease to releasing it. */
export type LeaderSession = {
  /** The live generation by projection name; none before the first catch-up. */
  readonly live: ReadonlyMap<string, ProjectedView>;
  /** First generations that have not caught up yet, by projection name. */
  readonly first: ReadonlyMap<string, ProjectedView>;
  /** Runs until stopped. Rejects with `LeaseLost`, `StoreUnavailable` or another error. */
  readonly run: () => Promise<void>;
  /** Finishes the slice, writes the checkpoints and lets `run` resolve. */
  readonly stop: () => void;
  readonly fail: (error: unknown) => void;
  /** Handles ready rebuilds and retries that other processes request; writes overdue checkpoints. */
  readonly look: () => Promise<void>;
  /**
   * Checks, and waits until the ready rebuild of this projection is live or given up. Rejects with `TermEnded` or `LeaseLost`
   * if the term ends first.
   */
  readonly takeIn: (projectionName: string) => Promise<void>;
  /** Rejects with `TermEnded` or `LeaseLost` if the term ends first. */
  readonly retry: (projectionName: string, workspaceId: string | null) => Promise<RetryOutcome>;
};

export function leaderSession({
  group,
  context,
  pace,
  cacheBounds,
  leaseTiming,
  aroundSlice,
  sharing,
  onProgress,
  onMisfit,
}: SessionOptions): LeaderSession {
  const { reads } = context;
  const box: Inbox = inbox();
  const views: SessionViews = { live: new Map(), first: new Map(), followed: followedViews() };
  const { live, first, followed } = views;
  const ending = new AbortController();
  /** Aborted by `stop`, which does not wait for the shares of other workers. */
  const stopping = new AbortController();
  const groupName = group.name;
  const catching = catchingUp({ context, groupName, pace, box, ending: ending.signal, onProgress }, views);
  const sweepOldTombstones = tombstoneSweep(context, groupName);
  const sweepOldAnswers = answerSweep(reads, groupName);

  /** The loop runs, so the views exist: a store may need time to open them, and other callers ask meanwhile. */
  const opened = box.post(async () => undefined);
  // Waiting callers get the error; without one it is not reported.
  opened.catch(() => undefined);

  const load = loadMeter();
  const merging = { context, group, leaseTiming, pace, cacheBounds };
  const loop = { box, load, aroundSlice, onProgress, stopping: stopping.signal };
  const share = sharing === null ? null : shareLead({ ...merging, ...sharing, ...loop });
  /** Work that needs all views in this session; more than one post of it may follow. */
  let undivided = 0;

  const mayShare = (): boolean =>
    share !== null &&
    share.isWanted() &&
    undivided === 0 &&
    first.size === 0 &&
    catching.views().length === 0 &&
    followed.all().length === group.projections.length;

  const openProjectedViews = async (): Promise<void> => {
    const misfits = await endEarlierPlan(merging, onMisfit, stopping.signal);
    await takeUpViews(merging, views, catching);
    if (first.size === 0) await deleteMisfitNote(reads, groupName);
    void dropAll(reads, misfits, ending.signal).catch(box.fail);
  };

  /** One plan, from its begin to the merge of its shares. */
  const projectShared = async (lead: ShareLead): Promise<void> => {
    await box.runAll();
    if (!mayShare()) return;
    if ((await lead.project(followed.all())) === 'no plan' || stopping.signal.aborted) return;
    for (const view of followed.all()) followed.leave(view);
    await takeUpViews(merging, views, catching);
    onProgress();
  };

  const adoptRebuilds = async (ready: ReadonlyMap<string, RebuildNote>): Promise<void> => {
    const adopted = await openRebuilds(merging, [...catching.views(), ...live.values()], ready);
    if (adopted.length > 0) catching.start(adopted);
  };

  let looking: Promise<void> | null = null;
  const lookOnce = async (): Promise<void> => {
    await opened;
    // Together: a server answers both in one call.
    const [ready, requests] = await Promise.all([readyRebuilds(reads), retryRequests(reads, groupName)]);
    await adoptRebuilds(ready);
    await answerRequests(reads, requests, retry, ending.signal);
    await sweepOldAnswers();
    await share?.look();
    if (share?.isShared() === true) {
      await sweepOldTombstones([...live.values()]);
      return;
    }
    await box.post(async () => {
      await writeIdleCheckpoints(context, followed.all());
      await sweepOldTombstones([...live.values()]);
    });
    if (mayShare()) box.wake();
  };

  const look = (): Promise<void> => (looking ??= lookOnce().finally(() => (looking = null)));

  const retry = async (projectionName: string, workspaceId: string | null): Promise<RetryOutcome> => {
    await opened;
    undivided += 1;
    try {
      // Shares are merged before a task runs.
      await box.post(async () => undefined);
      const view = live.get(projectionName) ?? first.get(projectionName);
      if (view === undefined)
        throw new RetryRefused(`The process that projects is of another version, without ${projectionName}`);
      const outcome = await retryView({ context, box, catching }, view, workspaceId);
      onProgress();
      return outcome;
    } finally {
      undivided -= 1;
    }
  };

  return {
    live,
    first,
    run: async () => {
      try {
        await openProjectedViews();
        onProgress();
        const onBatch = (batch: EventBatch): void => {
          // The rate counts from the moment that this process does not keep up.
          if (load.behindMs() === 0) load.restart();
          load.note(batch);
        };
        const isStopping = (): boolean => stopping.signal.aborted || mayShare();
        while (!stopping.signal.aborted) {
          if (share !== null && mayShare()) await projectShared(share);
          else await follow({ context, pace, box, followed, aroundSlice, onProgress, isStopping, onBatch });
        }
        // The views of a plan stand where its shares do.
        if (share === null || (await sharePlan(reads, groupName)) === null)
          await writeIdleCheckpoints(context, followed.all());
      } finally {
        ending.abort();
        box.close(new TermEnded(groupName));
        await catching.allEnded();
      }
    },
    stop: () => {
      stopping.abort();
      box.wake();
    },
    fail: box.fail,
    takeIn: async (projectionName) => {
      await look();
      const coming = catching.views().filter(({ projection }) => projection.name === projectionName);
      await Promise.all(coming.map(catching.endOf));
    },
    look,
    retry,
  };
}
