import { deliveryRecords } from '#delivery/webhooks/delivery-records.js';
import { requiredWorkspace } from '#access/required-workspace.js';
import { unfollowed } from '#kernel/ports/tracing.port.js';
import { tryNewPrice } from '#monitoring/try-new-price.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ledgerReader } from '#ledger/history/ledger-reader.js';
import { createCommands } from '#kernel/commands/commands.js';
import { credits } from '#kernel/values/credits.js';
import {
  workspaceScoped,
  type CommandContext,
  type Decider,
  type TimedDecision,
} from '#kernel/commands/decider.js';
import type { Vocabulary } from '#kernel/events/event.js';
import { decodeEvent } from '#kernel/events/event-codec.js';
import type { EventStore, Position, StoredEvent } from '#kernel/ports/event-store.port.js';
import { createIds } from '#kernel/commands/ids.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import { agent } from '#signals/domain/agents/agent.js';
import { createAgent } from '#signals/domain/agents/create-agent.js';
import type { Billing } from '#ledger/domain/books.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { PLAIN_TERMS } from '#ledger/domain/lots.js';
import { grant, setBillingMode } from '#ledger/domain/post-credits.js';
import { launch } from '#signals/domain/launches/launches.js';
import type { Direction, LaunchPersona } from '#signals/domain/launches/launch.events.js';
import { launchOf, type Launchable } from '#signals/domain/launches/prepare-launch.js';
import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import { openSqliteNetwork } from '#network/sqlite/open-sqlite-network.js';
import type { NetworkStore } from '#network/network-store.js';
import type { OperatorHost } from '#ops/support/operator-command.js';
import { foundTopAccounts } from '#accounts/top-accounts/found-top-accounts.js';
import { offlineResearcher } from '#signals/detection/research/offline-researcher.js';
import { executeSignalRun } from '#signals/runs/execute-signal-run.process.js';
import { blocksIn } from '#access/blocks.js';
import type { ProcessHost } from '#process-engine/process.js';
import { dueItems } from '#process-engine/to-do.js';
import { projectionEngine } from '#projection-engine/projection-engine.js';
import { projectionRegistry } from '#projection-engine/registry.js';
import { projections } from '#projections/index.js';
import { openSqliteReadStore } from '#read-store/sqlite/open-sqlite-read-store.js';
import { allEvents } from '#runtime/vocabularies.js';
import type { FillElsewhere } from '#projection-engine/fill-elsewhere.js';
import { fillThread, type EmbeddedFiles } from '#runtime/fill-thread.js';
import { sharedWriteOrder } from '#read-store/sqlite/write-order.js';
import { everythingAfter } from './event-stores.js';
import { late } from './late.js';
import { mortal, type Life } from './mortal.js';
import { systemContext } from './system-context.js';
import { nothingCovered, quietOperatorHost } from '#test/support/no-work.js';

export const PRICE = credits(10);
const NETWORK_BASE_URL = 'https://www.network.example';
const NOW = '2026-03-01T12:00:00.000Z';
/** Longer than the first read models take on a server, on a loaded machine. */
const CATCH_UP_MS = 60_000;

export type RunWork = Parameters<typeof executeSignalRun.act>[1];

export type Launched = {
  readonly workspaceId: number;
  readonly agentId: number;
  /** The first direction's; `works` has all of them. */
  readonly work: RunWork;
  readonly works: readonly RunWork[];
  /** The end of the store before the launch. */
  readonly before: Position;
};

export type LaunchOptions = {
  readonly keyword: string;
  readonly persona?: LaunchPersona;
  /** Both look at the same posts, and share their charges; absent: one direction. */
  readonly directions?: readonly Direction[];
  /** Approved by a quote of this many credits; absent: the launch has no limit. */
  readonly quoted?: number;
  /** Absent: posts of all authors that mention the keyword. */
  readonly detection?: Pick<Launchable, 'signalTypes' | 'parameters' | 'audiences'> &
    Partial<Pick<Launchable, 'templateKey' | 'targetTitles' | 'coveredFor' | 'scope'>> & {
      readonly detectorKind: string;
    };
};

/** Stores with read models that follow them, and any number of workers on them. */
export type SignalHouse = {
  readonly events: EventStore;
  readonly reads: ReadStore;
  readonly operator: OperatorHost;
  readonly now: () => Date;
  readonly advance: (ms: number) => void;
  /** A worker with its own caches; with a life it dies when that ends. Parts of it may be replaced. */
  readonly worker: (life?: Life, parts?: Partial<ProcessHost>) => ProcessHost;
  readonly ingest: (observations: readonly object[]) => Promise<void>;
  readonly workspace: (billing: Billing, creditsGranted: number) => Promise<number>;
  /** `expiresAt` absent: the credits do not expire. */
  readonly grant: (workspaceId: number, creditsGranted: number, expiresAt?: string) => Promise<void>;
  readonly agent: (workspaceId: number) => Promise<number>;
  /** A command of a workspace, or of none, on the object with this id. */
  readonly decide: <State, V extends Vocabulary>(
    workspaceId: number | null,
    decider: Decider<State, V>,
    id: string,
    decision: TimedDecision<State, V>,
    /** The system, if absent. */
    context?: CommandContext,
  ) => Promise<void>;
  readonly launch: (workspaceId: number, agentId: number, options: LaunchOptions) => Promise<Launched>;
  readonly eventsAfter: (position: Position) => Promise<readonly StoredEvent[]>;
  /** The events of its workspace since a launch, in order. */
  readonly eventsSince: (launched: Launched) => Promise<readonly StoredEvent[]>;
  /** All events of a workspace, in order. Only events since the last call are read. */
  readonly eventsOf: (workspaceId: number) => Promise<readonly StoredEvent[]>;
  readonly caughtUp: () => Promise<void>;
  /** While true, detections of the workspace cannot be folded into the model that decides duplicates. */
  readonly poison: { workspaceId: number | null };
  readonly close: () => Promise<void>;
};

const ALL_TYPES = [...new Set(projections.flatMap(({ on }) => Object.keys(on)))];

/** The stores of a house; `close` removes their data. */
export type HouseStores = {
  readonly events: EventStore;
  readonly reads: ReadStore;
  readonly network: NetworkStore;
  /** Absent: read models are rebuilt on the loop. */
  readonly elsewhere?: FillElsewhere;
  readonly close: () => Promise<void>;
};

/** Files in a folder of their own. */
export async function embeddedStores(): Promise<HouseStores & { readonly files: EmbeddedFiles }> {
  const folder = await mkdtemp(join(tmpdir(), 'signal-house-'));
  const eventsPath = join(folder, 'events.db');
  const events = await openSqliteEventStore({ path: eventsPath });
  const readsPath = join(folder, 'views.db');
  const turns = sharedWriteOrder();
  const reads = await openSqliteReadStore({ path: readsPath, turns });
  const files = { eventsPath, readsPath, turns };
  const filling = fillThread(files);
  const network = await openSqliteNetwork({
    path: join(folder, 'network.db'),
    networkBaseUrl: NETWORK_BASE_URL,
  });
  return {
    files,
    events,
    reads,
    network,
    elsewhere: filling.fill,
    async close() {
      await filling.close();
      await events.close();
      await reads.close();
      await network.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** One house for all cases of this `describe` (or file), which `furnish` prepares. */
export function sharedHouse(
  furnish: (house: SignalHouse) => Promise<unknown> = async () => undefined,
  openStores?: () => Promise<HouseStores>,
): SignalHouse {
  let opened: SignalHouse | undefined;
  beforeAll(async () => {
    opened = await openSignalHouse(openStores);
    await furnish(opened);
  });
  afterAll(() => opened?.close());
  return late('the house', () => opened);
}

export async function openSignalHouse(
  openStores: () => Promise<HouseStores> = embeddedStores,
): Promise<SignalHouse> {
  const stores = await openStores();
  const { events, reads, network } = stores;
  const known = new Map<string, StoredEvent[]>();
  let knownUpTo: Position = '';
  let knowing = Promise.resolve();
  let nowMs = Date.parse(NOW);
  async function know(): Promise<void> {
    for await (const batch of events.readAll({ after: knownUpTo })) {
      for (const event of batch.events) {
        const owner = String(event.metadata['workspaceId'] ?? '');
        const own = known.get(owner) ?? [];
        known.set(owner, own);
        own.push(event);
      }
      knownUpTo = batch.position;
    }
  }
  const now = (): Date => new Date(nowMs);
  const clock = { now };
  const poison: SignalHouse['poison'] = { workspaceId: null };
  const engine = projectionEngine({
    events,
    reads,
    registry: projectionRegistry({
      name: 'all',
      projections: projections.map((projection) =>
        projection.name === 'detections'
          ? {
              ...projection,
              key: (event) => {
                if (Reflect.get(event, 'metadata')['workspaceId'] === String(poison.workspaceId))
                  throw new Error('poisoned');
                return projection.key(event);
              },
            }
          : projection,
      ),
    }),
    decode: (stored) => decodeEvent(allEvents, stored),
    clock,
    elsewhere: stores.elsewhere,
  });
  engine.start();
  const commands = createCommands({ eventStore: events, clock, progress: engine });
  const ids = createIds(events, clock);
  const decide: SignalHouse['decide'] = async (workspaceId, decider, id, decision, context) => {
    await commands.handle(decider, id, decision, {
      context: context ?? systemContext(workspaceId),
    });
  };

  function worker(life?: Life, parts: Partial<ProcessHost> = {}): ProcessHost {
    const eventStore = life === undefined ? events : mortal(events, life, ['readStream', 'readAll']);
    const progress =
      life === undefined ? engine : mortal({ reached: engine.reached, isParked: engine.isParked }, life);
    const readModels = life === undefined ? reads : mortal(reads, life);
    const directory = life === undefined ? network.directory : mortal(network.directory, life);
    return {
      commands: createCommands({ eventStore, clock, progress }),
      ids: createIds(eventStore, clock),
      readModels,
      progress,
      clock,
      network: life === undefined ? network.source : mortal(network.source, life),
      directory,
      topAccounts: foundTopAccounts({ readModels, directory }),
      coverage: nothingCovered,
      ledgers: ledgerReader(eventStore, reads),
      researcher: offlineResearcher,
      networkBaseUrl: 'https://www.network.example',
      startedAt: now(),
      isParked: progress.isParked,
      blockOf: blocksIn(readModels),
      step: unfollowed,
      ...parts,
    };
  }

  async function caughtUp(): Promise<void> {
    const position = await events.head();
    if (!(await engine.reached({ position, types: ALL_TYPES, workspaceId: null }, CATCH_UP_MS)))
      throw new Error('the read models did not catch up');
  }

  async function grantTo(workspaceId: number, creditsGranted: number, expiresAt?: string): Promise<void> {
    const wanted = {
      movementId: await ids.next('movement'),
      credits: credits(creditsGranted),
      reason: 'test',
    };
    const terms = expiresAt === undefined ? PLAIN_TERMS : { ...PLAIN_TERMS, expiresAt };
    await decide(workspaceId, creditAccount, String(workspaceId), grant(wanted, terms));
  }

  return {
    events,
    reads,
    operator: {
      ...quietOperatorHost,
      commands,
      ids,
      eventStore: events,
      readModels: reads,
      ledgers: ledgerReader(events, reads),
      requireWorkspace: requiredWorkspace(commands),
      progress: engine,
      clock,
      network,
      projections: engine,
      webhooks: { records: deliveryRecords(reads) },
      priceSet: (price, context) => tryNewPrice({ commands, readModels: reads, clock }, price, context),
    },
    now,
    advance: (ms) => {
      nowMs += ms;
    },
    worker,
    async ingest(observations) {
      const lines = observations.map((observation) => `${JSON.stringify(observation)}\n`).join('');
      const report = await network.ingest(
        (async function* () {
          yield Buffer.from(lines);
        })(),
        {},
      );
      if (report.rejectedTotal > 0) throw new Error(JSON.stringify(report.rejected));
    },
    async workspace(billing, creditsGranted) {
      const workspaceId = await ids.next('workspace');
      await decide(workspaceId, creditAccount, String(workspaceId), setBillingMode(billing));
      if (creditsGranted > 0) await grantTo(workspaceId, creditsGranted);
      return workspaceId;
    },
    grant: grantTo,
    decide,
    async agent(workspaceId) {
      const agentId = await ids.next('agent');
      const created = createAgent({ agentId, type: 'keyword', name: 'Agent', parameters: {} });
      await decide(workspaceId, agent, workspaceScoped(workspaceId, agentId), created);
      return agentId;
    },
    async launch(workspaceId, agentId, options) {
      const { keyword, persona = null, directions = ['single'], detection, quoted } = options;
      const before = await events.head();
      const runIds = await ids.nextMany('run', directions.length);
      const launchable = {
        source: { kind: 'agent', id: agentId },
        detectorKind: 'keyword_post',
        signalTypes: ['keywordDetection'],
        directions,
        parameters: { tracking_keywords: [keyword] },
        templateKey: null,
        persona,
        coveredFor: null,
        targetTitles: null,
        audiences: ['network'],
        scope: null,
        missingTargets: null,
        charge: { credits: PRICE, product: 'keyword_match' },
        ...detection,
      } as const;
      const input = launchOf(launchable, {
        launchId: await ids.next('launch'),
        runIds,
        trigger: 'manual',
        now: now().toISOString(),
        maxCredits: quoted === undefined ? null : credits(quoted),
        ...(quoted !== undefined && {
          quote: {
            nonce: `quote-${runIds[0]}`,
            expiresAt: new Date(now().getTime() + 900_000).toISOString(),
          },
        }),
        lookbackDays: 30,
      });
      await decide(workspaceId, agent, workspaceScoped(workspaceId, agentId), launch(input));
      await caughtUp();
      const due = await dueItems(reads, executeSignalRun.toDo, now(), 1_000);
      const work = due.find((item) => runIds.includes(item.runId));
      if (work === undefined) throw new Error('the launched run is not due');
      // In production they fall due one after the other; a test may have them done at the same time.
      const works = work.launch.runs.map((run) => ({ ...work, ...run }));
      return { workspaceId, agentId, work, works, before };
    },
    eventsAfter: (position) => everythingAfter(events, position),
    async eventsSince({ before, workspaceId }) {
      const own = String(workspaceId);
      return (await everythingAfter(events, before)).filter(
        ({ metadata }) => metadata['workspaceId'] === own,
      );
    },
    async eventsOf(workspaceId) {
      knowing = knowing.then(know);
      await knowing;
      return [...(known.get(String(workspaceId)) ?? [])];
    },
    caughtUp,
    poison,
    async close() {
      await engine.stop();
      await stores.close();
    },
  };
}
