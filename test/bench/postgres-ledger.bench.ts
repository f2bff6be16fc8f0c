import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { available, ownAccount } from '#ledger/domain/books.js';
import { creditAccount, type CreditDecision } from '#ledger/domain/credit-account.js';
import type { CreditAccount } from '#ledger/domain/account-state.js';
import type { creditEvents } from '#ledger/domain/credits.events.js';
import { hold } from '#ledger/domain/hold-credits.js';
import { grant, setBillingMode } from '#ledger/domain/post-credits.js';
import { settle } from '#ledger/domain/settle-credits.js';
import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import { systemClock } from '#kernel/ports/clock.js';
import { createCommands } from '#kernel/commands/commands.js';
import type { EventStore } from '#kernel/ports/event-store.port.js';
import type { Read } from '#kernel/commands/turn.js';
import { createIds } from '#kernel/commands/ids.js';
import { loopTurn, type LoopTurn } from '#kernel/commands/loop-turn.js';
import { Refusal } from '#kernel/values/refusal.js';
import { percentile, throughput, type Bench, type Measurement } from './bench.js';
import { postgresLedger, type BenchedLedger } from './postgres-ledger.js';
import { findPostgres, startPostgres } from './postgres-server.js';
import { temporaryFolder } from './temporary-folder.js';

const HOLDS = 3_000;
const ROUNDS = 3;
const CALLERS = [16, 64];
const FUNDS = 1_000_000n;

/** The product's command path: ids, decision, sealed and durable append. Neither side serves reads meanwhile. */
function ourLedger(eventStore: EventStore, turn: LoopTurn): BenchedLedger {
  const commands = createCommands({
    eventStore,
    turn,
    clock: systemClock,
    progress: { reached: async () => true },
  });
  const ids = createIds(eventStore, systemClock);
  const handle = async <Result>(
    workspaceId: number,
    decision: CreditDecision,
    answer: Read<CreditAccount, Result>,
  ): Promise<Result> => {
    const actor = { kind: 'process', id: 'bench' } as const;
    const context = { commandId: randomUUID(), actor, workspaceId, correlationId: 'bench' };
    const handled = await commands.handle<CreditAccount, typeof creditEvents, Result>(
      creditAccount,
      String(workspaceId),
      decision,
      { context, answer },
    );
    return handled.answer;
  };
  return {
    async open(workspaceId, credits) {
      await handle(workspaceId, setBillingMode({ mode: 'self' }), () => null);
      const movementId = await ids.next('movement');
      await handle(workspaceId, grant({ movementId, credits, reason: 'bench' }), () => null);
    },
    async hold(workspaceId, key, credits) {
      const movementId = await ids.next('movement');
      const wanted = { movementId, key, credits, product: 'bench', cause: { kind: 'operator' } } as const;
      try {
        return await handle(workspaceId, hold(wanted), () => movementId);
      } catch (error) {
        if (error instanceof Refusal && error.declaration.kind === 'unpayable') return null;
        throw error;
      }
    },
    async end(workspaceId, movementId, how) {
      const movement = [{ movementId }];
      const settlement = how === 'captured' ? { capture: movement } : { release: movement };
      return handle(workspaceId, settle(settlement), () => true);
    },
    async sums(workspaceId) {
      return commands.load(creditAccount, String(workspaceId), ({ books }) => ({
        available: available(books),
        ...ownAccount(books),
      }));
    },
  };
}

type Report = { readonly holdsPerSecond: number; readonly proof: string; readonly isRight: boolean };

/** The work: a hold, then its capture or, for every fourth, its release. Holds are counted. */
async function measure(
  ledger: BenchedLedger,
  callers: number,
  workspaces: number,
  round: number,
): Promise<Report> {
  const mark = randomUUID();
  const first = 1_000 * (round + 1);
  const workspaceIds = Array.from({ length: workspaces }, (_, index) => first + index);
  for (const workspaceId of workspaceIds) await ledger.open(workspaceId, FUNDS);
  const seen = new Set<number>();
  let [captured, refused] = [0n, 0];
  const work = async (call: number): Promise<void> => {
    const workspaceId = workspaceIds[Math.abs(call) % workspaces] ?? 0;
    const movementId = await ledger.hold(workspaceId, `${mark}:${call}`, 1n);
    if (movementId === null || seen.has(movementId)) {
      refused += 1;
      return;
    }
    seen.add(movementId);
    const how = Math.abs(call) % 4 === 3 ? 'released' : 'captured';
    if (!(await ledger.end(workspaceId, movementId, how))) refused += 1;
    else if (how === 'captured') captured += 1n;
  };
  await throughput(callers, HOLDS / 6, (call) => work(-1 - call));
  const holdsPerSecond = await throughput(callers, HOLDS, work);
  const sums = await Promise.all(workspaceIds.map((workspaceId) => ledger.sums(workspaceId)));
  const total = sums.reduce((sum, one) => sum + one.captured, 0n);
  const isSound = sums.every((one) => one.available >= 0n && one.held === 0n);
  const granted = await race(ledger, first + workspaces);
  const isRight = total === captured && refused === 0 && isSound && granted === 6;
  const proof = `captured ${total} of ${captured}, ${refused} mismatches, ${granted} of 20 holds of 75 on 500`;
  return { holdsPerSecond, proof, isRight };
}

/** Speed is only valid with the check: exactly 6 of these may pass. */
async function race(ledger: BenchedLedger, workspaceId: number): Promise<number> {
  await ledger.open(workspaceId, 500n);
  const wanted = Array.from({ length: 20 }, (_, index) => `race:${workspaceId}:${index}`);
  const held = await Promise.all(wanted.map((key) => ledger.hold(workspaceId, key, 75n)));
  return held.filter((movementId) => movementId !== null).length;
}

async function sideBySide(callers: number, workspaces: number, programs: string): Promise<Measurement> {
  const folder = temporaryFolder();
  const server = await startPostgres(programs, folder);
  const pool = server.pool(callers);
  const turn = loopTurn();
  const store = await openSqliteEventStore({ path: join(folder, 'events.db'), turn });
  try {
    const [postgres, own] = [await postgresLedger(pool), ourLedger(store, turn)];
    const theirs: Report[] = [];
    const ours: Report[] = [];
    // In turns, so that other load on the machine affects both.
    for (let round = 0; round < ROUNDS; round += 1) {
      theirs.push(await measure(postgres, callers, workspaces, round));
      ours.push(await measure(own, callers, workspaces, round));
    }
    const speed = (reports: readonly Report[]): number =>
      percentile(
        reports.map(({ holdsPerSecond }) => holdsPerSecond),
        0.5,
      );
    const verdict = [...theirs, ...ours].every(({ isRight }) => isRight) ? 'both right' : 'ONE IS WRONG';
    const proofs = `ours ${ours.at(-1)?.proof}; theirs ${theirs.at(-1)?.proof}`;
    return {
      what: `ledger, ${callers} callers on ${workspaces === 1 ? 'one workspace' : `${workspaces} workspaces`}, holds (each then captured or released)`,
      measured: speed(ours),
      unit: 'holds/s',
      beside: `PostgreSQL ${server.version}, one statement a command`,
      besideValue: speed(theirs),
      goal: { atLeast: 2 },
      proof: `${verdict}, ${ROUNDS} rounds each; the last: ${proofs}`,
    };
  } finally {
    await pool.end();
    await store.close();
    await server.stop();
  }
}

export const postgresLedgerBench: Bench = {
  name: 'postgres-ledger',
  async run() {
    const programs = findPostgres();
    if (programs === null) {
      console.error('postgres-ledger: skipped, no PostgreSQL here (apt-get install postgresql)');
      return [];
    }
    const measurements: Measurement[] = [];
    for (const workspaces of [1, 32]) {
      for (const callers of CALLERS) measurements.push(await sideBySide(callers, workspaces, programs));
    }
    return measurements;
  },
};
