import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs, pause, type RetryPolicy } from '#kernel/commands/retry.js';
import { canonicalJson } from '#kernel/values/json.js';
import { sha256Hex } from '#kernel/values/hash.js';
import { shippedCatalogue } from '#catalogue/domain/templates/catalogue-file.js';
import { applyCatalogue } from '#catalogue/commands/apply-catalogue.js';
import { lateAnswers } from '#lists/late-answers.js';
import { observableMonths } from '#monitoring/observable-months.js';
import { renewedRequests } from '#accounts/content-requests/renewed-requests.js';
import { dueOfEach } from '#process-engine/due-work.js';
import type { OperatorWork } from '#ops/support/operator-command.js';
import { createProcessRunner, type ProcessRunner } from '#process-engine/process-runner.js';
import type { Drained } from '#process-engine/drain-work.js';
import type { Process, ProcessHost } from '#process-engine/process.js';
import { nextDueAt } from '#process-engine/to-do.js';
import { processHolder } from '#projection-engine/held-lease.js';
import type { ProjectionEngine } from '#projection-engine/projection-engine.js';
import { topAccounts } from '#projections/accounts/top-accounts/top-accounts.projection.js';
import { projections } from '#projections/index.js';
import { monitoredUnits } from '#projections/monitoring/monitored-units/monitored-units.projection.js';
import { liveDetection } from '#signals/live/live-detection.js';
import type { DueWorkThread } from './due-work-thread.js';
import { settledModels } from './settled-models.js';
import type { Settings } from './settings.js';
import type { Stores } from './stores.js';
import { allEnded, allSteps } from './stop-steps.js';
import { sweepEvents } from './sweep-events.js';

/** Receives errors of background work. */
export type TroubleLog = (what: string, error: unknown) => void;

/** Calls back when the log was reset to an older one: places in it that were remembered are invalid. */
export type WhenSetBack = (listener: () => void) => void;

export type BackgroundWorkParts = {
  readonly host: ProcessHost;
  readonly processes: readonly Process[];
  readonly settings: Pick<Settings, 'monitoringPass'>;
  readonly engine: ProjectionEngine;
  readonly stores: Stores;
  readonly whenSetBack: WhenSetBack;
  readonly onTrouble: TroubleLog;
  /** Does the due work instead of this event loop, from its own start on; null: none. */
  readonly thread: DueWorkThread | null;
};

/** The work of a process besides requests: projections and due work. */
export type BackgroundWork = {
  readonly runner: ProcessRunner;
  /**
   * Projects and, if wanted, does due work, whenever no other process does. Resolves when the read models have caught up
   * for the first time, or after a time limit: then they continue, and readiness reports it.
   */
  readonly start: (wanted: { readonly doesDueWork: boolean }) => Promise<void>;
  /** Resolves when nothing is due any more, on any thread; results of look-ups may bring new work. */
  readonly drain: () => Promise<Drained>;
  /** The next time at which work falls due; null if there is none. */
  readonly nextDueAt: () => Promise<Date | null>;
  /** How much of each process is due now. */
  readonly due: OperatorWork['due'];
  /** Ends the due work: its steps are finished, and its leases released. */
  readonly endDueWork: () => Promise<void>;
  /** Ends every part, also after one that fails; then rejects with the first error. */
  readonly stop: () => Promise<void>;
};

const FIRST_CATCH_UP_MS = 5_000;
const LOOK_EVERY_MS = 10;
const START_RETRY: RetryPolicy = { tries: Infinity, firstDelayMs: 100, longestDelayMs: 2_000 };

/** Read models of the covered and the found accounts. */
const ACCOUNT_VIEWS = [monitoredUnits.name, topAccounts.name];

/** All event types that projections handle: a wait for all of them waits for all projections. */
const projectedTypes = [...new Set(projections.flatMap((projection) => Object.keys(projection.on)))];

export function backgroundWork(parts: BackgroundWorkParts): BackgroundWork {
  const { host, processes, settings, engine, stores, whenSetBack, onTrouble, thread } = parts;
  let starting = false;
  const runner = createProcessRunner({
    host,
    processes,
    leases: stores.reads,
    holder: processHolder(),
    watch: engine.watch,
    readModelsSettled: () =>
      settledModels({
        head: () => stores.events.head(),
        reached: (position, timeoutMs) =>
          engine.reached({ position, types: projectedTypes, workspaceId: null }, timeoutMs),
        figures: engine.figures,
        isStopping: () => stopping,
      }),
    onError: (name, key, error) => onTrouble(`${name} ${key}`, error),
    isStarting: () => starting,
  });
  const late = lateAnswers(host, (error) => onTrouble('look-ups again', error));
  const renewed = renewedRequests(host, (error) => onTrouble('requests again', error));
  const observable = observableMonths(host, (error) => onTrouble('months of observable accounts', error));
  const live = liveDetection({
    host,
    arrivals: stores.network.arrivals,
    leases: stores.reads,
    holder: processHolder(),
    watchAccounts: (moved) => engine.watch(ACCOUNT_VIEWS, moved),
    whenSetBack,
    onError: onTrouble,
  });
  const followers = [late, renewed, observable, ...(settings.monitoringPass === 'live' ? [live] : [])];
  const foundSoFar = (): number => followers.reduce((sum, follower) => sum + follower.found(), 0);
  const sweep = sweepEvents(stores.events, host.clock, (error) =>
    onTrouble('sweep of the event store', error),
  );
  let stopping = false;

  async function modelsCaughtUp(): Promise<void> {
    while (!stopping && !(await engine.hasCaughtUp())) await pause(LOOK_EVERY_MS);
  }

  function startDueWork(): void {
    runner.start();
    for (const follower of followers) follower.start();
    sweep.start();
  }

  /** Repeated until it succeeds: an unavailable store must not leave the runs without an end. */
  async function startParts(doesDueWork: boolean): Promise<void> {
    for (let attempt = 0; !stopping; attempt += 1) {
      try {
        await modelsCaughtUp();
        if (stopping) return;
        await syncShippedCatalogue(host);
        if (doesDueWork && thread === null && !stopping) startDueWork();
        return;
      } catch (error) {
        if (stopping) return;
        onTrouble('start of background work', error);
        await pause(backoffMs(START_RETRY, attempt));
      }
    }
  }

  const endDueWork = async (): Promise<void> => {
    stopping = true;
    await allEnded([thread?.stop(), runner.stop()]);
  };

  return {
    runner,
    async start({ doesDueWork }) {
      engine.start();
      starting = true;
      const caughtUp = startParts(doesDueWork).finally(() => (starting = false));
      const patience = new AbortController();
      await Promise.race([
        caughtUp,
        delay(FIRST_CATCH_UP_MS, null, { signal: patience.signal }).catch(() => null),
      ]);
      patience.abort();
    },
    async drain() {
      if (thread !== null) return thread.drain();
      for (let processed = 0; ;) {
        // Counted before the due work: a follower may also have found something in the background since then.
        const before = foundSoFar();
        const drained = await runner.drain();
        processed += drained.processed;
        if (drained.stillDue !== undefined) return { ...drained, processed };
        for (const follower of followers) await follower.catchUp();
        const found = foundSoFar() - before;
        if (found === 0) return { processed };
        processed += found;
      }
    },
    async nextDueAt() {
      const now = host.clock.now();
      const dues = await Promise.all(processes.map(({ toDo }) => nextDueAt(stores.reads, toDo, now)));
      return dues.reduce(
        (first, due) => (first === null || (due !== null && due < first) ? due : first),
        null,
      );
    },
    due: () => dueOfEach(host, processes, stores.events),
    endDueWork,
    async stop() {
      await allSteps([
        () => allEnded([endDueWork(), ...followers.map((follower) => follower.stop()), sweep.stop()]),
        // The last steps of the thread may wait for the read models.
        engine.stop,
      ]);
    },
  };
}

/** The catalogue of this version; its command id is derived from its content, so every start sends the same command. */
async function syncShippedCatalogue(host: Pick<ProcessHost, 'commands' | 'clock'>): Promise<void> {
  const file = shippedCatalogue();
  const commandId = `catalogue:${sha256Hex(canonicalJson(file))}`;
  const actor = { kind: 'system', id: 'start' } as const;
  await applyCatalogue(host, file, false, { commandId, actor, workspaceId: null, correlationId: commandId });
}
