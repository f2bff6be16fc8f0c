import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { balanceOf } from '#ledger/answers/balance.answer.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { creditEvents } from '#ledger/domain/credits.events.js';
import { chargeBatch, hold, holdOutcomes, type Hold } from '#ledger/domain/hold-credits.js';
import { grant, setBillingMode } from '#ledger/domain/post-credits.js';
import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import { systemClock } from '#kernel/ports/clock.js';
import { createCommands, type Commands } from '#kernel/commands/commands.js';
import { credits } from '#kernel/values/credits.js';
import { decodeEvent } from '#kernel/events/event-codec.js';
import { projectionEngine } from '#projection-engine/projection-engine.js';
import { projectionRegistry } from '#projection-engine/registry.js';
import { creditMovements } from '#projections/ledger/credit-movements/credit-movements.projection.js';
import { creditPostings } from '#projections/ledger/credit-postings/credit-postings.projection.js';
import { openSqliteReadStore } from '#read-store/sqlite/open-sqlite-read-store.js';
import { chargeIndex } from '#ledger/charging/charge-index.js';
import { snapshotStore } from '#runtime/snapshot-store.js';
import { medianMs, timed, type Bench } from './bench.js';
import { temporaryFolder } from './temporary-folder.js';

const EVENTS = Number(process.env['LEDGER_EVENTS'] ?? 1_000_000);
const CHARGES_A_COMMAND = 400;
const STARTS = 5;
const WORKSPACE = '1';
const CATCH_UP_MS = 1_800_000;
/** Goals: first hold after a start. */
const WITH_SNAPSHOT_MS = 50;
const WITHOUT_MS = 15_000;

const charge = (number: number, movementId: number): Hold => ({
  movementId,
  key: `k${number}`,
  credits: credits(1),
  product: 'bench',
  cause: { kind: 'operator' },
});

function contextOf() {
  const actor = { kind: 'system', id: 'bench' } as const;
  return { context: { commandId: randomUUID(), actor, workspaceId: 1, correlationId: 'bench' } };
}

export const ledgerStartBench: Bench = {
  name: 'ledger-start',
  async run() {
    const folder = temporaryFolder();
    const eventStore = await openSqliteEventStore({ path: join(folder, 'events.db') });
    const reads = await openSqliteReadStore({ path: join(folder, 'views.db') });
    const engine = projectionEngine({
      events: eventStore,
      reads,
      registry: projectionRegistry({ name: 'all', projections: [creditMovements, creditPostings] }),
      decode: (event) => decodeEvent(creditEvents, event),
      clock: systemClock,
    });
    engine.start();
    /** The command path of a process that has just started. */
    const started = (withSnapshots: boolean): Commands =>
      createCommands({
        eventStore,
        clock: systemClock,
        progress: engine,
        recalls: { credits: chargeIndex(reads, engine) },
        ...(withSnapshots ? { snapshots: snapshotStore(reads) } : {}),
      });
    const quietly = { ...contextOf(), waitForReadModels: false };

    const builder = started(true);
    await builder.handle(creditAccount, WORKSPACE, setBillingMode({ mode: 'self' }), quietly);
    const funds = { movementId: 1, credits: credits(900_000_000), reason: 'bench' };
    await builder.handle(creditAccount, WORKSPACE, grant(funds), quietly);
    const charges = Math.ceil(EVENTS / 2);
    for (let first = 0; first < charges; first += CHARGES_A_COMMAND) {
      const count = Math.min(CHARGES_A_COMMAND, charges - first);
      const batch = Array.from({ length: count }, (_, index) => charge(first + index, 2 + first + index));
      await builder.handle(creditAccount, WORKSPACE, chargeBatch(batch), { ...quietly, ...contextOf() });
    }
    const position = await eventStore.head();
    await engine.reached({ position, types: Object.keys(creditEvents), workspaceId: 1 }, CATCH_UP_MS);

    let next = 0;
    const firstHold = async (commands: Commands) => {
      next += 1;
      const wanted = charge(charges + next, 10_000_000 + next);
      const handled = await commands.handle(creditAccount, WORKSPACE, hold(wanted), {
        ...contextOf(),
        answer: (account) => balanceOf(account.books),
        waitForReadModels: false,
      });
      return handled.answer;
    };
    const withSnapshot = await medianMs(STARTS, () => firstHold(started(true)));
    const whole = started(false);
    let balance = null;
    const without = await timed(async () => {
      balance = await firstHold(whole);
    });

    // The same keys and sums, remembered or looked up.
    const restarted = started(true);
    const old = charge(Math.floor(charges / 3), 99_999_999);
    const answers = await Promise.all(
      [restarted, whole].map(async (commands) => {
        const handled = await commands.handle(creditAccount, WORKSPACE, hold(old), {
          ...contextOf(),
          answer: (account) => [holdOutcomes(account, [old]), account.books.accounts.get('workspace')],
          waitForReadModels: false,
        });
        return String(handled.appended) + JSON.stringify(handled.answer, plain);
      }),
    );
    const agrees = answers[0] === answers[1] && balance !== null;
    await engine.stop();
    await reads.close();
    await eventStore.close();
    const proof = `${agrees ? 'an old key and all sums agree' : 'ANSWERS DIFFER'} with and without a snapshot`;
    const of = `first hold after a start, workspace with ${EVENTS.toLocaleString('en')} ledger entries`;
    return [
      {
        what: `${of}, from a snapshot`,
        measured: withSnapshot,
        unit: 'ms',
        beside: 'goal',
        besideValue: WITH_SNAPSHOT_MS,
        goal: { atMost: 1 },
        proof,
      },
      {
        what: `${of}, without`,
        measured: without,
        unit: 'ms',
        beside: 'goal',
        besideValue: WITHOUT_MS,
        goal: { atMost: 1 },
        proof,
      },
    ];
  },
};

function plain(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
