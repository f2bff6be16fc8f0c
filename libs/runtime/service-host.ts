import { setTimeout as delay } from 'node:timers/promises';
import { systemClock, type Clock } from '#kernel/ports/clock.js';
import { createCommands } from '#kernel/commands/commands.js';
import { decodeEvent } from '#kernel/events/event-codec.js';
import { createIds } from '#kernel/commands/ids.js';
import { backoffMs, pause, type RetryPolicy } from '#kernel/commands/retry.js';
import { canonicalJson } from '#kernel/values/json.js';
import { sha256Hex } from '#kernel/values/hash.js';
import { creditAccount } from '#domain/credits/credit-account.js';
import { shippedCatalogue } from '#domain/catalogue/catalogue-file.js';
import { ledgerReader } from '#ledger/ledger-reader.js';
import { applyCatalogue } from '#ops/catalogue/apply-catalogue.js';
import type { OperatorHost } from '#ops/support/operator-command.js';
import { lateAnswers } from '#processes/late-answers.js';
import { createProcessRunner, type ProcessRunner } from '#processes/process-runner.js';
import type { ProcessHost } from '#processes/process.js';
import { processesOf } from '#processes/processes.js';
import { nextDueAt } from '#processes/to-do.js';
import { processHolder } from '#projection-engine/held-lease.js';
import { projectionEngine, type ProjectionEngine } from '#projection-engine/projection-engine.js';
import { projectionRegistry } from '#projection-engine/registry.js';
import { projections } from '#projections/index.js';
import { chargeIndex } from '#charging/charge-index.js';
import type { Coverage } from '#detection/coverage.port.js';
import { chatResearcher } from '#detection/research/chat-researcher.js';
import { offlineResearcher } from '#detection/research/offline-researcher.js';
import type { Researcher } from '#detection/research/researcher.port.js';
import { monitoredCoverage } from '#monitoring/coverage.js';
import { openManualClock } from '#clock/manual-clock.js';
import type { Settings } from './settings.js';
import { servedReadModels } from '#projection-engine/parked-guard.js';
import { claimReadStore } from './read-store-claim.js';
import { openIdMarks } from './id-marks.js';
import { dropSnapshotsAhead, snapshotStore } from './snapshot-store.js';
import { openStores, type Stores } from './stores.js';
import { sweepEvents } from './sweep-events.js';
import { allEvents } from './vocabularies.js';

/** Everything but HTTP: the stores with what reads, decides, projects and acts on them. One a process. */
export type ServiceHost = OperatorHost & {
  readonly stores: Stores;
  readonly coverage: Coverage;
  /** The identity of the log that everything here is about. */
  readonly logId: string;
  readonly projections: ProjectionEngine;
  readonly runner: ProcessRunner;
  /**
   * Projects and works off what is due whenever no other process does. Resolves when the read models have
   * caught up for the first time, or after a while in which they have not: they go on, and readiness tells.
   */
  readonly startWork: () => Promise<void>;
  /** Calls back for every key that an operator revokes through this process. */
  readonly whenApiKeyRevoked: (forget: (keyId: number) => void) => void;
  readonly stop: () => Promise<void>;
};

/** What a service finds outside of itself. Tests put stores that fail and clocks that are wrong in its place. */
export type Outside = {
  readonly openStores: (settings: Settings) => Promise<Stores>;
  /** The time of the machine; a manual clock goes before it. */
  readonly clock: Clock;
  /** Instead of what is monitored. */
  readonly coverage: Coverage | null;
};

const OUTSIDE: Outside = { openStores, clock: systemClock, coverage: null };

/** Where trouble of background work goes. */
export type TroubleLog = (what: string, error: unknown) => void;

const SETTLE_TIMEOUT_MS = 10_000;
const FIRST_CATCH_UP_MS = 5_000;
const LOOK_EVERY_MS = 10;
const START_RETRY: RetryPolicy = { tries: Infinity, firstDelayMs: 100, longestDelayMs: 2_000 };

/** The catalogue that this version ships; its command id is its content, so every start is the same command. */
async function syncShippedCatalogue(host: Parameters<typeof applyCatalogue>[0]): Promise<void> {
  const file = shippedCatalogue();
  const commandId = `catalogue:${sha256Hex(canonicalJson(file))}`;
  const actor = { kind: 'system', id: 'start' } as const;
  await applyCatalogue(host, file, false, { commandId, actor, workspaceId: null, correlationId: commandId });
}

async function orClosed<Result>(stores: Stores, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    await stores.close();
    throw error;
  }
}

function researcherOf({ research }: Settings, onTrouble: TroubleLog): Researcher {
  if (research === null) return offlineResearcher;
  return chatResearcher(research, {
    onUnavailable: (why) => onTrouble('research', new Error(why)),
    pause: (ms, signal) => delay(ms, undefined, { signal }),
  });
}

/** Opens the stores and puts the house together; nothing works in the background before `startWork`. */
export async function openServiceHost(
  settings: Settings,
  onTrouble: TroubleLog,
  isAlone = false,
  outside: Partial<Outside> = {},
): Promise<ServiceHost> {
  const machine = { ...OUTSIDE, ...outside };
  const stores = await machine.openStores(settings);
  const logId = await orClosed(
    stores,
    claimReadStore(stores.events, stores.reads, projections, machine.clock),
  );
  const manual = settings.clock === 'manual' ? await openManualClock(stores.events, onTrouble) : null;
  const clock: Clock = manual ?? machine.clock;
  const registry = projectionRegistry([{ name: 'all', projections }]);
  const engine = projectionEngine({
    events: stores.events,
    reads: stores.reads,
    registry,
    decode: (stored) => decodeEvent(allEvents, stored),
    clock,
    onFailure: (group, error) => onTrouble(`projections of ${group}`, error),
    onMisfit: () => dropSnapshotsAhead(stores.events, stores.reads),
    onSetBack: () => commands.forget(),
  });
  const readModels = servedReadModels(stores.reads, engine.requireServed);
  const commands = createCommands({
    eventStore: stores.events,
    clock,
    progress: engine,
    snapshots: snapshotStore(stores.reads),
    recalls: { [creditAccount.category]: chargeIndex(readModels, engine) },
    onSnapshotFailure: (stream, error) => onTrouble(`snapshot of ${stream}`, error),
    onLateReadModels: (stream) => onTrouble(`read models of ${stream} were late`, null),
  });
  const marks = await orClosed(stores, openIdMarks(stores.events, stores.reads));
  const ids = createIds(stores.events, clock, marks);
  // Before anything is served or acted on.
  await orClosed(stores, engine.requireFit());
  const types = [...new Set(projections.flatMap((projection) => Object.keys(projection.on)))];
  const coverage = machine.coverage ?? monitoredCoverage({ readModels, directory: stores.network.directory });
  const processHost: ProcessHost = {
    commands,
    ids,
    readModels,
    progress: engine,
    clock,
    network: stores.network.source,
    directory: stores.network.directory,
    coverage,
    researcher: researcherOf(settings, onTrouble),
    networkBaseUrl: settings.networkBaseUrl,
    startedAt: clock.now(),
    isParked: (view, workspaceId) => engine.isParked(view, workspaceId),
  };
  const processes = processesOf(settings);
  const runner = createProcessRunner({
    host: processHost,
    processes,
    leases: stores.reads,
    holder: processHolder(),
    watch: engine.watch,
    async readModelsSettled() {
      const position = await stores.events.head();
      return engine.reached({ position, types, workspaceId: null }, SETTLE_TIMEOUT_MS);
    },
    onError: (name, key, error) => onTrouble(`${name} ${key}`, error),
  });
  manual?.whenSet(runner.wake);

  const late = lateAnswers(processHost, (error) => onTrouble('look-ups again', error));
  const sweep = sweepEvents(stores.events, clock, (error) => onTrouble('sweep of the event store', error));

  /** What was looked up again may bring new work. */
  async function drain(): Promise<{ readonly processed: number }> {
    for (let processed = 0; ;) {
      processed += (await runner.drain()).processed;
      const answered = await late.catchUp();
      if (answered === 0) return { processed };
      processed += answered;
    }
  }

  const keyListeners: ((keyId: number) => void)[] = [];
  let stopping = false;
  async function modelsCaughtUp(): Promise<void> {
    while (!stopping && !(await engine.hasCaughtUp())) await pause(LOOK_EVERY_MS);
  }

  /** Until it has worked: a store that is away for a while must not leave the runs lying for ever. */
  async function startRunner(): Promise<void> {
    for (let attempt = 0; !stopping; attempt += 1) {
      try {
        await modelsCaughtUp();
        if (stopping) return;
        await syncShippedCatalogue({ commands, clock });
        runner.start();
        late.start();
        sweep.start();
        return;
      } catch (error) {
        onTrouble('start of background work', error);
        await pause(backoffMs(START_RETRY, attempt));
      }
    }
  }

  return {
    stores,
    commands,
    ids,
    eventStore: stores.events,
    logId,
    readModels,
    ledgers: ledgerReader(stores.events, stores.reads),
    progress: engine,
    clock,
    network: stores.network,
    coverage,
    networkBaseUrl: settings.networkBaseUrl,
    projections: engine,
    isAlone,
    runner,
    work: { drain },
    whenApiKeyRevoked: (forget) => keyListeners.push(forget),
    apiKeyRevoked: (keyId) => keyListeners.forEach((forget) => forget(keyId)),
    manualClock:
      manual === null
        ? null
        : {
            set: (now) => manual.set(now),
            async nextDueAt() {
              const dues = await Promise.all(
                processes.map(({ toDo }) => nextDueAt(stores.reads, toDo, clock.now())),
              );
              return dues.reduce(
                (first, due) => (first === null || (due !== null && due < first) ? due : first),
                null,
              );
            },
          },
    async startWork() {
      engine.start();
      const caughtUp = startRunner();
      const patience = new AbortController();
      await Promise.race([
        caughtUp,
        delay(FIRST_CATCH_UP_MS, null, { signal: patience.signal }).catch(() => null),
      ]);
      patience.abort();
    },
    async stop() {
      stopping = true;
      await Promise.all([runner.stop(), late.stop(), sweep.stop()]);
      await engine.stop();
      await manual?.close();
      await stores.close();
    },
  };
}
