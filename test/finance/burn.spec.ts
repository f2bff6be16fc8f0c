import { createCommands } from '#kernel/commands/commands.js';
import { streamName } from '#kernel/commands/decider.js';
import { credits } from '#kernel/values/credits.js';
import { creditAccount, type CreditDecision } from '#ledger/domain/credit-account.js';
import type { Cause } from '#ledger/domain/credits.events.js';
import { hold } from '#ledger/domain/hold-credits.js';
import { grant, setBillingMode } from '#ledger/domain/post-credits.js';
import { settle } from '#ledger/domain/settle-credits.js';
import { burnOf } from '#ledger/forecast/burn.js';
import { ledgerReader } from '#ledger/history/ledger-reader.js';
import { toStoredSums, type StoredSums } from '#ledger/history/ledger-sums.js';
import { EventLog, memoryEventStore } from '../simulation/memory-event-store.js';
import { systemContext } from '../support/system-context.js';
import { recordsInMemory } from './random-ledger.js';

const MARK_EVERY = 4;
const partner = { mode: 'partner', partnerId: 7 } as const;

function openLedger() {
  const log = new EventLog();
  const eventStore = memoryEventStore(log);
  let now = new Date('2026-01-01T10:00:00.000Z');
  const clock = { now: () => now };
  const commands = createCommands({ eventStore, clock, progress: { reached: async () => true } });
  const records = recordsInMemory();
  let lastId = 0;
  const decide = (decision: CreditDecision) =>
    commands.handle(creditAccount, '1', decision, { context: systemContext(1) });
  const readerNow = () => ledgerReader(eventStore, records, MARK_EVERY);
  return {
    log,
    records,
    decide,
    on: (day: number) => {
      now = new Date(Date.UTC(2026, 0, day, 10));
    },
    grantOf: (whole: number) =>
      decide(grant({ movementId: (lastId += 1), credits: credits(whole), reason: 'contract' })),
    async spend(kind: Cause['kind'], whole: number) {
      const movementId = (lastId += 1);
      const wanted = { movementId, key: `k${movementId}`, credits: credits(whole), product: 'p' };
      await decide(hold({ ...wanted, cause: { kind } }));
      await decide(settle({ capture: [{ movementId }] }));
    },
    async burn() {
      const ledgers = readerNow();
      const head = await ledgers.head(1);
      if (head === null) throw new Error('the ledger has entries');
      return burnOf(ledgers, 1, head, now);
    },
    sumsNow: async () =>
      toStoredSums(
        await readerNow().sumsBefore(1, BigInt(log.stream(streamName(creditAccount, '1')).length)),
      ),
  };
}

/** A partner pays 1,000 credits of months on the 17th; from the 19th on the workspace pays, and uses 210 credits. */
async function switchedLedger() {
  const ledger = openLedger();
  await ledger.decide(setBillingMode(partner));
  ledger.on(17);
  for (let month = 0; month < 4; month += 1) await ledger.spend('monitoring', 250);
  ledger.on(19);
  await ledger.decide(setBillingMode({ mode: 'self' }));
  await ledger.grantOf(500);
  for (const day of [19, 20, 21]) {
    ledger.on(day);
    await ledger.spend('signal', 70);
  }
  ledger.on(29);
  return ledger;
}

describe('LOW-02 the burn', () => {
  it('is not lowered by months that a partner paid', async () => {
    const ledger = await switchedLedger();
    expect(await ledger.burn()).toBe(7_500_000n);
    await ledger.spend('monitoring', 30);
    expect(await ledger.burn()).toBe(7_500_000n);
  });

  it('is not raised by what a partner paid, and excludes months that the workspace paid', async () => {
    const ledger = openLedger();
    await ledger.decide(setBillingMode({ mode: 'self' }));
    await ledger.grantOf(500);
    ledger.on(20);
    await ledger.spend('monitoring', 100);
    await ledger.spend('signal', 28);
    ledger.on(21);
    await ledger.decide(setBillingMode(partner));
    await ledger.spend('signal', 900);
    ledger.on(29);
    expect(await ledger.burn()).toBe(credits(1));
  });

  it('is the same if an earlier version has stored sums that do not say who paid the months', async () => {
    const ledger = await switchedLedger();
    const sums = await ledger.sumsNow();
    expect(sums.ownMonths).toBe('0');
    const { all } = ledger.records;
    const marks = [...all].filter(([key]) => key.startsWith('ledger-mark-1/'));
    expect(marks.length).toBeGreaterThan(2);
    for (const [key, text] of marks) {
      const { ownMonths: _ownMonths, ...earlier }: StoredSums = JSON.parse(text);
      all.set(key, JSON.stringify(earlier));
    }
    expect(await ledger.burn()).toBe(7_500_000n);
    expect(await ledger.sumsNow()).toEqual(sums);
  });

  it('leaves the stored sums of a ledger unchanged that no partner pays for', async () => {
    const ledger = openLedger();
    await ledger.decide(setBillingMode({ mode: 'self' }));
    await ledger.grantOf(500);
    await ledger.spend('monitoring', 100);
    expect(await ledger.sumsNow()).not.toHaveProperty('ownMonths');
  });
});
