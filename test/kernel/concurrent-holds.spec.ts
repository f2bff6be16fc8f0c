import { systemClock } from '#kernel/ports/clock.js';
import { createCommands, type Commands } from '#kernel/commands/commands.js';
import { credits } from '#kernel/values/credits.js';
import { creditAccount, type CreditDecision } from '#ledger/domain/credit-account.js';
import { available, ownAccount } from '#ledger/domain/books.js';
import { grant, setBillingMode } from '#ledger/domain/post-credits.js';
import { addCap } from '#ledger/domain/set-caps.js';
import { hold } from '#ledger/domain/hold-credits.js';
import { verifyLedger } from '#ledger/history/verify.js';
import { runScript } from '../support/child-process.js';
import { eventsOf, newEvent, soon } from '../support/event-stores.js';
import { sqliteEventStores, type SqliteEventStores } from '../support/sqlite-event-stores.js';
import type { EventStore } from '#kernel/ports/event-store.port.js';
import { contextOf } from './tally.js';

const GRANTED = 500;
const HELD = 75;
const ASKED = 20;
const PAID = 6;

let files: SqliteEventStores;
let store: EventStore;
let commands: Commands;

beforeAll(async () => {
  files = await sqliteEventStores();
  store = await files.open();
  const progress = { reached: async () => true };
  commands = createCommands({ eventStore: store, clock: systemClock, progress });
});
afterAll(() => files.tearDown());

const decide = (workspaceId: number, decision: CreditDecision) =>
  commands.handle(creditAccount, String(workspaceId), decision, {
    context: { ...contextOf(), workspaceId },
  });

async function fund(workspaceId: number, granted = GRANTED): Promise<void> {
  await decide(workspaceId, setBillingMode({ mode: 'self' }));
  await decide(
    workspaceId,
    grant({ movementId: 1_000_000 + workspaceId, credits: credits(granted), reason: 'test' }),
  );
}

/** The paid holds are in the stream, each once; the rest of the credits is still there; the chain is complete. */
async function expectSixHeld(workspaceId: number, granted = GRANTED): Promise<void> {
  const events = await eventsOf(store, `credits-${workspaceId}`);
  const keys = events.filter(({ type }) => type === 'CreditsHeld').map(({ data }) => data['key']);
  expect(keys).toHaveLength(PAID);
  expect(new Set(keys).size).toBe(PAID);
  const sums = await commands.load(creditAccount, String(workspaceId), ({ books }) => ({
    available: available(books),
    held: ownAccount(books).held,
  }));
  expect(sums).toEqual({ available: credits(granted - PAID * HELD), held: credits(PAID * HELD) });
  const verified = await verifyLedger(store.readStream(`credits-${workspaceId}`), null);
  expect(verified).toMatchObject({ ok: true, movements: PAID });
}

describe(`${ASKED} concurrent holds of ${HELD} on ${GRANTED}`, () => {
  it('P16 exactly six are granted to the callers of one process', async () => {
    await fund(1);
    const asked = Array.from({ length: ASKED }, (_, index) =>
      decide(
        1,
        hold({
          movementId: index + 1,
          key: `key-${index}`,
          credits: credits(HELD),
          product: 'match',
          cause: { kind: 'operator' },
        }),
      ),
    );
    const outcomes = await Promise.allSettled(asked);
    expect(outcomes.map(({ status }) => status)).toEqual(
      outcomes.map((_, index) => (index < PAID ? 'fulfilled' : 'rejected')),
    );
    await expectSixHeld(1);
  });

  it.each([
    ['P16', '2', GRANTED, 'insufficient-credits'],
    // The balance would pay all of them.
    ['P21 under a cap', '3', 100 * GRANTED, 'cap-reached'],
  ])('%s exactly six are granted to four operating system processes', async (_, id, granted, refusal) => {
    await fund(Number(id), granted);
    const limit = credits(GRANTED);
    const cap = { capId: 1, scope: 'workspace', scopeId: null, period: 'month', limit } as const;
    if (refusal === 'cap-reached') await decide(Number(id), addCap(cap, 'operator'));
    const processes = ['a', 'b', 'c', 'd'].map((name) =>
      runScript('credit-holder.js', [files.path, id, name, String(ASKED / 4), String(HELD)]),
    );
    // All of them must exist before the first one may begin.
    await soon('four processes', Promise.all(processes.map((child) => child.printed(1))));
    await store.append(`race-${id}`, 'no-stream', [newEvent('Started')]);
    const codes = await Promise.all(processes.map(({ ended }) => ended));
    expect({ codes, errors: processes.map((child) => child.errors()) }).toEqual({
      codes: [0, 0, 0, 0],
      errors: ['', '', '', ''],
    });
    const answers = processes.flatMap((child) => child.lines()).filter((line) => line !== 'ready');
    const counted = (word: string): number => answers.filter((line) => line.startsWith(word)).length;
    expect([answers.length, counted('held'), counted(refusal)]).toEqual([ASKED, PAID, ASKED - PAID]);
    const held = (await eventsOf(store, `credits-${id}`)).filter(({ type }) => type === 'CreditsHeld');
    expect(held.map(({ data }) => `held ${String(data['key'])}`).sort()).toEqual(
      answers.filter((line) => line.startsWith('held')).sort(),
    );
    await expectSixHeld(Number(id), granted);
  });
});
