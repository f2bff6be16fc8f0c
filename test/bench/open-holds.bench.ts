import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { balanceOf } from '#ledger/answers/balance.answer.js';
import { creditAccount, type CreditDecision } from '#ledger/domain/credit-account.js';
import { creditEvents } from '#ledger/domain/credits.events.js';
import { holdAll, hold, type Hold } from '#ledger/domain/hold-credits.js';
import { grant, setBillingMode } from '#ledger/domain/post-credits.js';
import { capture } from '#ledger/domain/settle-credits.js';
import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import { systemClock } from '#kernel/ports/clock.js';
import { createCommands, type Commands } from '#kernel/commands/commands.js';
import { credits } from '#kernel/values/credits.js';
import { decodeEvent } from '#kernel/events/event-codec.js';
import { projectionEngine } from '#projection-engine/projection-engine.js';
import { projectionRegistry } from '#projection-engine/registry.js';
import { creditBalances } from '#projections/ledger/credit-balances/credit-balances.projection.js';
import { creditMovements } from '#projections/ledger/credit-movements/credit-movements.projection.js';
import { creditPostings } from '#projections/ledger/credit-postings/credit-postings.projection.js';
import { openSqliteReadStore } from '#read-store/sqlite/open-sqlite-read-store.js';
import { chargeIndex } from '#ledger/charging/charge-index.js';
import { snapshotStore } from '#runtime/snapshot-store.js';
import { percentile, throughput, type Bench } from './bench.js';
import { temporaryFolder } from './temporary-folder.js';

const MANY = 10_000;
const FEW = 10;
const CALLERS = 50;
/** Each is a hold and its capture: a turn is long enough for two snapshots of the ledger. */
const CHARGES_A_TURN = 1_000;
const TURNS = 7;
const HOLDS_A_COMMAND = 500;

type Workspace = { readonly id: number; readonly open: number; charges: number };

const wanted = (workspace: Workspace, number: number): Hold => ({
  movementId: workspace.id * 1_000_000 + number,
  key: `k${number}`,
  credits: credits(1),
  product: 'bench',
  cause: { kind: 'operator' },
});

async function decide({ id }: Workspace, commands: Commands, decision: CreditDecision): Promise<void> {
  const actor = { kind: 'system', id: 'bench' } as const;
  await commands.handle(creditAccount, String(id), decision, {
    context: { commandId: randomUUID(), actor, workspaceId: id, correlationId: 'bench' },
    answer: (account) => balanceOf(account.books),
  });
}

async function fund(workspace: Workspace, commands: Commands): Promise<void> {
  await decide(workspace, commands, setBillingMode({ mode: 'self' }));
  const funds = { movementId: workspace.id, credits: credits(900_000), reason: 'bench' };
  await decide(workspace, commands, grant(funds));
  for (let first = 0; first < workspace.open; first += HOLDS_A_COMMAND) {
    const count = Math.min(HOLDS_A_COMMAND, workspace.open - first);
    const holds = Array.from({ length: count }, (_, index) => wanted(workspace, 1 + first + index));
    await decide(workspace, commands, holdAll(holds));
  }
}

/** Microseconds per ledger event, including the wait for the read models. */
async function microsecondsAnEvent(workspace: Workspace, commands: Commands): Promise<number> {
  const perSecond = await throughput(CALLERS, CHARGES_A_TURN, async () => {
    workspace.charges += 1;
    const next = wanted(workspace, workspace.open + workspace.charges);
    await decide(workspace, commands, hold(next));
    await decide(workspace, commands, capture({ movementId: next.movementId }));
  });
  return 1_000_000 / (2 * perSecond);
}

export const openHoldsBench: Bench = {
  name: 'open-holds',
  async run() {
    const folder = temporaryFolder();
    const eventStore = await openSqliteEventStore({ path: join(folder, 'events.db') });
    const reads = await openSqliteReadStore({ path: join(folder, 'views.db') });
    const views = [creditBalances, creditMovements, creditPostings];
    const engine = projectionEngine({
      events: eventStore,
      reads,
      registry: projectionRegistry({ name: 'all', projections: views }),
      decode: (event) => decodeEvent(creditEvents, event),
      clock: systemClock,
    });
    engine.start();
    const commands = createCommands({
      eventStore,
      clock: systemClock,
      progress: engine,
      recalls: { credits: chargeIndex(reads, engine) },
      snapshots: snapshotStore(reads),
    });
    const few = { id: 1, open: FEW, charges: 0 };
    const many = { id: 2, open: MANY, charges: 0 };
    for (const workspace of [few, many]) {
      await fund(workspace, commands);
      // Warms up, so that the first measurement has no disadvantage.
      await microsecondsAnEvent(workspace, commands);
    }
    const turns: { readonly few: number; readonly many: number }[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      turns.push({
        few: await microsecondsAnEvent(few, commands),
        many: await microsecondsAnEvent(many, commands),
      });
    }
    let agree = true;
    for (const { id, open, charges } of [few, many]) {
      const { held, captured } = (await reads.get(creditBalances, String(id))) ?? { held: '', captured: '' };
      agree &&= held === `${open}000000` && captured === `${charges}000000`;
    }
    await engine.stop();
    await reads.close();
    await eventStore.close();
    const middle = (values: readonly number[]): number => percentile(values, 0.5);
    return [
      {
        what: `one ledger event with ${MANY.toLocaleString('en')} open holds, ${CALLERS} callers, with the wait for read models`,
        measured: middle(turns.map((turn) => turn.many)),
        unit: 'us',
        beside: `the same with ${FEW}`,
        besideValue: middle(turns.map((turn) => turn.few)),
        ratio: middle(turns.map((turn) => turn.many / turn.few)),
        goal: { atMost: 1.2 },
        proof: agree ? 'both balances show the expected held and captured credits' : 'BALANCES DIFFER',
      },
    ];
  },
};
