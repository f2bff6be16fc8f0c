import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Commands } from '#kernel/commands/commands.js';
import { pause } from '#kernel/commands/retry.js';
import type { ReadStore, LeaseStore } from '#kernel/ports/read-store.port.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { hold } from '#ledger/domain/hold-credits.js';
import { grant } from '#ledger/domain/post-credits.js';
import { capture } from '#ledger/domain/settle-credits.js';
import { partitionOf, PARTITIONS } from '#kernel/events/workspace-partition.js';
import { partitionLease } from '#process-engine/partitions.js';
import type { Process } from '#process-engine/process.js';
import { createProcessRunner, type ProcessRunner } from '#process-engine/process-runner.js';
import { toDo } from '#process-engine/to-do.js';
import { holderOf } from '#projection-engine/held-lease.js';
import { openSqliteReadStore } from '#read-store/sqlite/open-sqlite-read-store.js';
import { openLedgerHost, operatorOf, type LedgerHost } from '../ops/ledger-host.js';
import { processHostOf } from '../support/process-host.js';
import { openThings, things, type Thing, type ThingsToDo } from '../support/things-to-do.js';
import { Random } from './random.js';

const WORKERS = 16;
const WORKSPACES = 40;
const ITEMS_OF_A_WORKSPACE = 6;
const KILLS = 24;
const FREEZES = 12;
/** Longer and shorter than a lease. */
const FREEZE_MS = [7_000, 2_000];
const PRICE = 1_000_000n;
const STEP_MS = 20;
/**
 * Heartbeats of a second each to notice, to release and to take, and until running work has reached its next step.
 */
const REBALANCED_MS = 5_000;
/**
 * Leases of a dead worker last 5 s more, and the next worker has begun to share its partitions when the last one
 * dies.
 */
const REBALANCED_AFTER_DEATH_MS = 11_000;
/** All start at once: they contend for slots, and the first have taken more than their share. */
const STARTED_MS = 8_000;
/** A worker that is to die does so within this many points. */
const MOST_POINTS = 150;
const GIVEN_UP_AFTER_MS = 300_000;

type Worker = {
  readonly holder: string;
  readonly runner: ProcessRunner;
  /** It dies at a call, before or after its effect, after passing this many more points. */
  pointsLeft: number;
  isDead: boolean;
  frozenUntilMs: number;
};
const never = new Promise<never>(() => undefined);

describe('sixteen workers that share due work, and die and freeze in the middle of it', () => {
  let folder: string;
  let house: LedgerHost;
  let list: ThingsToDo;
  let leases: ReadStore;
  let random: Random;
  let nowMs: number;
  let workers: Worker[];
  let deaths: number;
  let movements: number;
  const errors: unknown[] = [];
  const unheld: string[] = [];

  async function open(seed: number): Promise<void> {
    folder = mkdtempSync(join(tmpdir(), 'shared-work-'));
    random = new Random(seed);
    nowMs = 1_000_000;
    [workers, deaths, movements] = [[], 0, 0];
    errors.length = 0;
    unheld.length = 0;
    house = await openLedgerHost();
    list = await openThings(house.readStore);
    leases = await openSqliteReadStore({ path: join(folder, 'leases.db'), nowMs: () => nowMs });
    for (let id = 1; id <= WORKSPACES; id += 1) {
      await house.openWorkspace(id);
      const funds = grant({ movementId: (movements += 1), credits: 1_000_000_000n, reason: 'funds' });
      await house.commands.handle(creditAccount, String(id), funds, {
        context: operatorOf(id),
      });
    }
  }
  // For all cases, and before any heartbeat: one timer serves all heartbeats of a process.
  beforeAll(() => {
    mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
    mock.method(performance, 'now', () => nowMs);
  });
  afterAll(() => {
    mock.timers.reset();
    mock.restoreAll();
  });
  afterEach(async () => {
    for (const worker of workers) worker.isDead = true;
    await leases.close();
    await house.close();
    rmSync(folder, { recursive: true });
  });

  /** Time passes in small steps; everything possible without more time happens in between. */
  async function pass(ms: number): Promise<void> {
    for (const until = nowMs + ms; nowMs < until;) {
      nowMs += STEP_MS;
      mock.timers.tick(STEP_MS);
      for (let turns = 0; turns < 4; turns += 1) await turn();
    }
  }
  async function passUntil(isSo: () => boolean | Promise<boolean>): Promise<number> {
    const since = nowMs;
    while (!(await isSo())) {
      if (nowMs - since > GIVEN_UP_AFTER_MS) throw new Error(`still waiting for ${isSo}`);
      await pass(100);
    }
    return nowMs - since;
  }

  function dies(worker: Worker): boolean {
    worker.pointsLeft -= 1;
    if (!worker.isDead && worker.pointsLeft <= 0) {
      worker.isDead = true;
      deaths += 1;
    }
    return worker.isDead;
  }

  /** Calls of a worker take time, wait while it is frozen, and have no answer once it is dead. */
  async function called<Result>(
    worker: Worker,
    isPoint: boolean,
    call: () => Promise<Result>,
  ): Promise<Result> {
    await pause(random.below(2 * STEP_MS));
    while (worker.frozenUntilMs > nowMs) await pause(worker.frozenUntilMs - nowMs);
    if (isPoint ? dies(worker) : worker.isDead) return never;
    const answer = await call();
    if (isPoint ? dies(worker) : worker.isDead) return never;
    await pause(random.below(2 * STEP_MS));
    return answer;
  }

  const leasesOf = (worker: Worker): LeaseStore => ({
    acquireLease: (...asked) => called(worker, true, () => leases.acquireLease(...asked)),
    renewLeases: (...asked) => called(worker, true, () => leases.renewLeases(...asked)),
    releaseLease: (...asked) => called(worker, true, () => leases.releaseLease(...asked)),
    // There are so many of these calls that most deaths would occur in them.
    lease: (name) => called(worker, random.happens(0.02), () => leases.lease(name)),
  });

  /** Records commands that come although another worker, or none, holds the partition. */
  const commandsOf = (worker: Worker): Commands => ({
    ...house.commands,
    handle: async (decider, id, decision, options) => {
      const partition = partitionOf(Number(id));
      if (holderOf(await leases.lease(partitionLease(partition))) !== worker.holder)
        unheld.push(`${worker.holder} in ${partition} at ${nowMs}`);
      return called(worker, true, () => house.commands.handle(decider, id, decision, options));
    },
  });

  /**
   * Paid work of two commands, without a check whether it may continue. The list shows its end a while after it was
   * recorded.
   */
  const paidWork = (): Process<Thing> => ({
    name: 'paid',
    lane: 'timers',
    atOnce: 6,
    toDo: toDo(things, { where: [{ kind: 'short' }], oldestFirst: ['at', 'name'] }),
    key: ({ name }) => name,
    waitsFor: [],
    async act({ commands }, item) {
      const { name, workspaceId } = item;
      const options = (step: string) => ({
        context: { ...operatorOf(workspaceId), commandId: `${name}:${step}` },
        waitForReadModels: false,
      });
      const movementId = (movements += 1);
      const wanted = {
        movementId,
        key: name,
        credits: PRICE,
        product: 'match',
        cause: { kind: 'operator' },
      } as const;
      await commands.handle(creditAccount, String(workspaceId), hold(wanted), options('hold'));
      await pause(random.below(1_000));
      await commands.handle(creditAccount, String(workspaceId), capture({ key: name }), options('capture'));
      void pause(random.below(500)).then(() => list.remove(item));
    },
  });

  function startWorker(pointsLeft = Number.POSITIVE_INFINITY): Worker {
    const holder = `elsewhere:${workers.length}:worker`;
    const worker: Worker = {
      holder,
      pointsLeft,
      isDead: false,
      frozenUntilMs: 0,
      runner: undefined as never,
    };
    const runner = createProcessRunner({
      host: { ...processHostOf(house), commands: commandsOf(worker) },
      processes: [paidWork()],
      leases: leasesOf(worker),
      holder,
      watch: list.watch,
      readModelsSettled: () => house.eventStore.head(),
      onError: (_name, _key, error) => errors.push(error),
      nowMs: () => nowMs,
    });
    Object.assign(worker, { runner });
    workers.push(worker);
    runner.start();
    return worker;
  }

  const living = (): readonly Worker[] => workers.filter(({ isDead }) => !isDead);

  /** Whether the living workers hold all partitions, evenly to within one. */
  async function isBalanced(): Promise<boolean> {
    const counts = new Map(living().map(({ holder }) => [holder, 0]));
    for (let number = 0; number < PARTITIONS; number += 1) {
      const holder = holderOf(await leases.lease(partitionLease(number)));
      const count = holder === null ? undefined : counts.get(holder);
      if (holder === null || count === undefined) return false;
      counts.set(holder, count + 1);
    }
    return Math.max(...counts.values()) - Math.min(...counts.values()) <= 1;
  }

  async function stop(...stopped: readonly Worker[]): Promise<void> {
    let isStopped = false;
    void Promise.all(stopped.map(({ runner }) => runner.stop())).then(() => (isStopped = true));
    await passUntil(() => isStopped);
    for (const worker of stopped) worker.isDead = true;
  }

  const itemsToDo = (): readonly Thing[] =>
    Array.from({ length: WORKSPACES * ITEMS_OF_A_WORKSPACE }, (_, at): Thing => ({
      workspaceId: 1 + (at % WORKSPACES),
      name: `item-${String(at).padStart(4, '0')}`,
      kind: 'short',
      at,
      dueAt: null,
    }));

  /** Keys of the charges of all workspaces in this state, in order. */
  async function charged(type: string): Promise<readonly string[]> {
    const keys: string[] = [];
    for (let id = 1; id <= WORKSPACES; id += 1)
      for (const event of await house.ledger(id))
        if (event.type === type) keys.push(String(event.data['key']));
    return keys.sort();
  }

  it.each([1, 2])(
    'do every item once, none without its partition, and share evenly again in time (seed %d)',
    async (seed) => {
      await open(seed);
      while (workers.length < WORKERS) startWorker();
      expect(await passUntil(isBalanced)).toBeLessThanOrEqual(STARTED_MS);

      const mortalPoints = (): number =>
        workers.length < WORKERS + KILLS ? 1 + random.below(MOST_POINTS) : Number.POSITIVE_INFINITY;
      for (const worker of workers) worker.pointsLeft = mortalPoints();
      const items = itemsToDo();
      const waiting = [...items];
      let freezes = 0;
      await passUntil(async () => {
        while (living().length < WORKERS) startWorker(mortalPoints());
        await list.add(...waiting.splice(0, 4));
        if (freezes < FREEZES && random.happens(0.1)) {
          freezes += 1;
          random.oneOf(living()).frozenUntilMs = nowMs + random.oneOf(FREEZE_MS);
        }
        const left = await house.readStore.count(things, {});
        return waiting.length + left === 0 && deaths >= KILLS && freezes === FREEZES;
      });
      for (const worker of workers) worker.pointsLeft = Number.POSITIVE_INFINITY;
      await passUntil(() => living().every(({ frozenUntilMs }) => frozenUntilMs <= nowMs));
      expect(await passUntil(isBalanced)).toBeLessThanOrEqual(REBALANCED_AFTER_DEATH_MS);

      await stop(random.oneOf(living()));
      expect(await passUntil(isBalanced)).toBeLessThanOrEqual(REBALANCED_MS);
      startWorker();
      startWorker();
      expect(living()).toHaveLength(WORKERS + 1);
      expect(await passUntil(isBalanced)).toBeLessThanOrEqual(REBALANCED_MS);
      await stop(...living());

      const names = items.map(({ name }) => name);
      expect(await charged('CreditsHeld')).toEqual(names);
      expect(await charged('CreditsCaptured')).toEqual(names);
      expect([unheld, errors]).toEqual([[], []]);
    },
  );
});
