import { LRUCache } from 'lru-cache';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '#kernel/ports/clock.js';
import { createCommands } from '#kernel/commands/commands.js';
import { decodeEvent } from '#kernel/events/event-codec.js';
import { createIds } from '#kernel/commands/ids.js';
import { loopTurn } from '#kernel/commands/loop-turn.js';
import { StoreUnavailable, type EventStore } from '#kernel/ports/event-store.port.js';
import type { Step } from '#kernel/ports/tracing.port.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { keptDays } from '#ledger/history/kept-days.js';
import { ENTRIES_A_MARK, ledgerReader, type LedgerReader } from '#ledger/history/ledger-reader.js';
import type { OperatorHost } from '#ops/support/operator-command.js';
import type { ProcessRunner } from '#process-engine/process-runner.js';
import type { Drained } from '#process-engine/drain-work.js';
import type { ProcessHost } from '#process-engine/process.js';
import { stepsInTurn } from '#process-engine/steps-in-turn.js';
import { COMPLETE_BATCH } from '#signals/runs/execute-signal-run.process.js';
import { processesOf } from './processes.js';
import {
  projectionEngine,
  type ProjectionEngine,
  type ProjectionEngineOptions,
} from '#projection-engine/projection-engine.js';
import { projectionRegistry } from '#projection-engine/registry.js';
import { projections } from '#projections/index.js';
import { chargeIndex } from '#ledger/charging/charge-index.js';
import type { Coverage } from '#signals/detection/coverage.port.js';
import type { TopAccounts } from '#signals/detection/top-accounts.port.js';
import { foundTopAccounts } from '#accounts/top-accounts/found-top-accounts.js';
import { blocksIn } from '#access/blocks.js';
import { chatResearcher } from '#signals/detection/research/chat-researcher.js';
import { offlineResearcher } from '#signals/detection/research/offline-researcher.js';
import type { Researcher, ResearchLimits } from '#signals/detection/research/researcher.port.js';
import { createOutbound, type Outbound } from '#outbound/outbound.js';
import { monitoredCoverage } from '#monitoring/coverage.js';
import { tryNewPrice } from '#monitoring/try-new-price.js';
import type { WebhookDesk } from '#delivery/webhooks/webhook-desk.js';
import { apiKeyUses } from '#access/api-key-uses.js';
import { openManualClock, type ManualClock } from '#clock/manual-clock.js';
import { requiredWorkspace } from '#access/required-workspace.js';
import { ledgerPorts } from './charge-origins.js';
import { backgroundWork, type BackgroundWork, type TroubleLog, type WhenSetBack } from './background-work.js';
import { meteredEventStore } from './metrics/metered-event-store.js';
import { dueWorkThread, type DueWorkThread, type DueWorkThreadParts } from './due-work-thread.js';
import { endCharges } from './end-charges.js';
import { fillThread, type FillThread } from './fill-thread.js';
import { gatheredEvents } from './gathered-events.js';
import type { MachineRoom } from './metrics/machine-room-metrics.js';
import type { Meter } from './metrics/service-meter.js';
import { following, type TracedParts } from './tracing/following.js';
import { latenessReporter, refusalReporter } from './meter-reports.js';
import { openSourceDesk, openWebhooks } from './outgoing-desks.js';
import { OUTSIDE, type Outside } from './outside.js';
import type { Settings } from './settings.js';
import { servedReadModels } from '#projection-engine/parked-guard.js';
import { claimReadStore } from './read-store-claim.js';
import { openIdMarks } from './id-marks.js';
import { dropSnapshotsAhead, snapshotStore } from './snapshot-store.js';
import { allEnded, allSteps } from './stop-steps.js';
import type { Stores } from './stores.js';
import { allEvents } from './vocabularies.js';

/** A thousand sums of ledgers take some megabytes of memory. */
const REMEMBERED_SUMS = 1_000;

/**
 * Measured beside a round: a balance takes 16 and 18 ms at p50 with two at once, 33 and 27 ms with eight; one at once needs more
 * processor time (docs/adr/0139).
 */
const BATCHES_AT_ONCE = 2;

/** Batches of runs append to a file on the loop; appends to a server are waited for. */
const batchesInTurn = ({ eventStore }: Settings, step: Step): Step =>
  eventStore.kind === 'sqlite' ? stepsInTurn(step, COMPLETE_BATCH, BATCHES_AT_ONCE) : step;

/** The accounts of launches, from other features. */
function watchedAccounts(
  host: Parameters<typeof foundTopAccounts>[0],
  coverage: Coverage | null,
): { readonly coverage: Coverage; readonly topAccounts: TopAccounts } {
  return { coverage: coverage ?? monitoredCoverage(host), topAccounts: foundTopAccounts(host) };
}

/** Everything except HTTP: the stores and the parts that read, decide, project and process. One per process. */
export type ServiceHost = OperatorHost & {
  readonly stores: Stores;
  readonly webhooks: WebhookDesk;
  readonly coverage: Coverage;
  readonly topAccounts: TopAccounts;
  /** The limit of a run for questions to a researcher; null: questions cost nothing. */
  readonly researchLimits: ResearchLimits | null;
  /** The identity of the log of this host. */
  readonly logId: string;
  readonly projections: ProjectionEngine;
  readonly runner: ProcessRunner;
  /** The sources of its metrics. */
  readonly machineRoom: MachineRoom;
  /** Starts the background work and, in a service, the polls of sources and the deliveries. */
  readonly startWork: BackgroundWork['start'];
  /** Starts the thread for due work, if this host has one. It takes a core for a moment: call it when requests are answered. */
  readonly startThread: () => void;
  /** As the operators' `work.drain`, after this host has read the time of the manual clock. */
  readonly drainDueWork: () => Promise<Drained>;
  /** Ends the due work before the rest of the host: its steps are finished, and its leases released. */
  readonly endDueWork: () => Promise<void>;
  /** Failing parts that affect no caller. */
  readonly degraded: () => readonly string[];
  /** Calls back for every key that an operator revokes through this process. */
  readonly whenApiKeyRevoked: (forget: (keyId: number) => void) => void;
  /** Ends rebuilds and verifications between two slices: the callers are notified, and can continue later. */
  readonly endRebuilds: () => Promise<void>;
  /** Ends every part, also after one that fails; then rejects with the first error. */
  readonly stop: () => Promise<void>;
};

async function orClosed<Result>(stores: Stores, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    await stores.close();
    throw error;
  }
}

function researcherOf({ research }: Settings, outbound: Outbound, onTrouble: TroubleLog): Researcher {
  if (research === null) return offlineResearcher;
  return chatResearcher(research, {
    outbound,
    onUnavailable: (why) => onTrouble('research', new Error(why)),
    pause: (ms, signal) => delay(ms, undefined, { signal }),
  });
}

const claimedLog = ({ events, reads }: Stores, clock: Clock): Promise<string> =>
  claimReadStore(events, reads, projections, clock);

async function manualClockOf(
  { clock }: Settings,
  { events }: Stores,
  onTrouble: TroubleLog,
): Promise<ManualClock | null> {
  return clock === 'manual' ? openManualClock(events, onTrouble) : null;
}

/** Drains by the time that another thread or process may have set. */
async function drainBy(
  manual: ManualClock | null,
  work: Pick<BackgroundWork, 'drain'>,
): ReturnType<BackgroundWork['drain']> {
  await manual?.catchUp();
  return work.drain();
}

/** Notifies the parts that remember places of the log when it was reset to an older one; `first` before all others. */
function setBackNotices(first: () => void): { readonly when: WhenSetBack; readonly notify: () => void } {
  const listeners = [first];
  return {
    when: (listener) => void listeners.push(listener),
    notify: () => listeners.forEach((listener) => listener()),
  };
}

const eventsToProject = ({ events, embedded }: Stores): EventStore =>
  embedded === null ? events : gatheredEvents(events, embedded.commitsBeside);

/** The projections of this host; it starts none if another thread of the process projects. */
function engineOf(projecting: Outside['projecting'], options: ProjectionEngineOptions): ProjectionEngine {
  const engine = projectionEngine(options);
  return projecting === null ? engine : { ...engine, ...projecting, start: () => undefined };
}

/** The thread for due work, where it can have connections of its own to the files. */
function threadFor(
  { embedded }: Stores,
  { threadReports: reports }: Pick<Outside, 'threadReports'>,
  parts: Pick<DueWorkThreadParts, 'engine' | 'meter' | 'onTrouble'>,
): DueWorkThread | null {
  if (embedded === null || reports === null) return null;
  const { turns, commitsBeside } = embedded;
  return dueWorkThread({ ...parts, shared: { turns, commitsBeside }, reports });
}

function metered(stores: Stores, meter: Meter | null): Stores {
  return meter === null ? stores : { ...stores, events: meteredEventStore(stores.events, meter.appended) };
}

function followed(stores: Stores, { eventStore, network }: TracedParts): Stores {
  return { ...stores, events: eventStore(stores.events), network: network(stores.network) };
}

/** Ledgers are read from kept sums, and by the days that a read model keeps. */
const ledgersOf = (stores: Stores, readModels: ReadModels): LedgerReader =>
  ledgerReader(stores.events, stores.reads, ENTRIES_A_MARK, {
    daysOf: keptDays(readModels),
    memory: new LRUCache({ max: REMEMBERED_SUMS }),
  });

/** Ends rebuilds and verifications, here and on a thread. */
const endOfRebuilds =
  (engine: ProjectionEngine, filling: FillThread | null): ServiceHost['endRebuilds'] =>
  async () => {
    engine.endRebuilds();
    await filling?.close();
  };

/** Opens the stores and creates the parts; no background work starts before `startWork`. */
export async function openServiceHost(
  settings: Settings,
  onTrouble: TroubleLog,
  isAlone = false,
  outside: Partial<Outside> = {},
): Promise<ServiceHost> {
  const machine = { ...OUTSIDE, ...outside };
  const { meter } = machine;
  const follow = following(machine.tracing);
  const turn = loopTurn();
  const opened = await machine.openStores(settings, {
    turn,
    onCommitted: meter?.committed,
    onDegraded: (trouble) => onTrouble('stores', new StoreUnavailable(trouble)),
    onUpgrade: machine.onUpgrade ?? undefined,
  });
  const stores = followed(metered(opened, meter), follow);
  const logId = await orClosed(stores, claimedLog(stores, machine.clock));
  const manual = await orClosed(stores, manualClockOf(settings, stores, onTrouble));
  const clock: Clock = manual ?? machine.clock;
  const registry = projectionRegistry({ name: 'all', projections });
  // In an operator's process nothing waits for the event loop.
  const filling = isAlone || stores.embedded === null ? null : fillThread(stores.embedded);
  const setBack = setBackNotices(() => commands.forget());
  const engine = engineOf(machine.projecting, {
    events: eventsToProject(stores),
    reads: stores.reads,
    registry,
    decode: (stored) => decodeEvent(allEvents, stored),
    clock,
    onFailure: (group, error) => onTrouble(`projections of ${group}`, error),
    onMisfit: () => dropSnapshotsAhead(stores.events, stores.reads),
    onSetBack: setBack.notify,
    aroundSlice: follow.aroundSlice,
    elsewhere: filling?.fill,
  });
  const thread = threadFor(stores, machine, { engine, meter, onTrouble });
  const readModels = servedReadModels(stores.reads, engine.requireServed);
  const path = createCommands({
    eventStore: stores.events,
    clock,
    turn,
    ...(machine.cacheBytes === null ? {} : { cacheBytes: machine.cacheBytes }),
    progress: engine,
    snapshots: snapshotStore(stores.reads),
    recalls: { [creditAccount.category]: chargeIndex(readModels, engine) },
    onSnapshotFailure: (stream, error) => onTrouble(`snapshot of ${stream}`, error),
    onLateReadModels: latenessReporter(meter, onTrouble),
    onStop: (stop) => endCharges(path, stores.events, stop),
    onRejected: refusalReporter(meter),
  });
  const commands = follow.commands(path);
  const marks = await orClosed(stores, openIdMarks(stores.events, stores.reads));
  const ids = createIds(stores.events, clock, marks);
  // Before any request or work.
  await orClosed(stores, engine.requireFit());
  const outbound = createOutbound({ allowed: settings.outboundAllowed });
  const watched = watchedAccounts({ readModels, directory: stores.network.directory }, machine.coverage);
  const ledgers = ledgersOf(stores, readModels);
  const processHost: ProcessHost = {
    ledgers,
    commands,
    ids,
    readModels,
    progress: engine,
    clock,
    network: stores.network.source,
    directory: stores.network.directory,
    ...watched,
    researcher: follow.researcher(researcherOf(settings, outbound, onTrouble)),
    networkBaseUrl: settings.networkBaseUrl,
    startedAt: clock.now(),
    isParked: (view, workspaceId) => engine.isParked(view, workspaceId),
    blockOf: blocksIn(readModels),
    step: batchesInTurn(settings, follow.step),
  };
  const shared = { settings, engine, stores, whenSetBack: setBack.when, onTrouble };
  const parts = { ...processHost, ...shared, outbound, meter };
  const sources = openSourceDesk(parts);
  const { webhooks, deliveries } = openWebhooks(parts);
  const processes = follow.processes(processesOf(settings), stores.events);
  const work = backgroundWork({ ...shared, host: processHost, processes, thread });
  manual?.whenSet(work.runner.wake);
  const ports = { ...processHost, ...stores, polls: stores.network.polls, deliveries: deliveries.figures };
  const keyListeners: ((keyId: number) => void)[] = [];
  const endRebuilds = endOfRebuilds(engine, filling);
  return {
    stores,
    commands,
    ids,
    eventStore: stores.events,
    logId,
    readModels,
    ledgers,
    ...ledgerPorts,
    requireWorkspace: requiredWorkspace(commands),
    progress: engine,
    clock,
    network: stores.network,
    researchLimits: processHost.researcher.limits,
    ...watched,
    networkBaseUrl: settings.networkBaseUrl,
    projections: engine,
    isAlone,
    sources,
    webhooks,
    apiKeyUses: apiKeyUses(stores.reads),
    runner: work.runner,
    machineRoom: { ...ports, figures: engine.figures, processes, groupName: registry.group.name },
    work,
    whenApiKeyRevoked: (forget) => keyListeners.push(forget),
    priceSet: (price, context) => tryNewPrice({ commands, readModels, clock }, price, context),
    apiKeyRevoked: (keyId) => keyListeners.forEach((forget) => forget(keyId)),
    manualClock:
      manual === null ? null : { set: (now) => manual.set(now), nextDueAt: () => work.nextDueAt() },
    // An operator's command ends before a poll is due.
    startWork: (wanted) =>
      work.start(wanted).then(() => (isAlone ? [] : [sources, deliveries]).forEach((lane) => lane.start())),
    startThread: () => thread?.start(),
    drainDueWork: () => drainBy(manual, work),
    endDueWork: work.endDueWork,
    degraded: () => [...stores.degraded(), ...(thread?.degraded() ?? [])],
    endRebuilds,
    async stop() {
      await allSteps([
        () => allEnded([deliveries.stop(), work.stop(), sources.stop()]),
        endRebuilds,
        async () => manual?.close(),
        stores.close,
      ]);
    },
  };
}
