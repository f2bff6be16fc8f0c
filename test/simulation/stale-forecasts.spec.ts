import { createCommands } from '#kernel/commands/commands.js';
import { streamName } from '#kernel/commands/decider.js';
import { credits } from '#kernel/values/credits.js';
import { creditOutlook } from '#ledger/domain/credit-outlook.js';
import { creditAccount, type CreditDecision } from '#ledger/domain/credit-account.js';
import { grant, setBillingMode } from '#ledger/domain/post-credits.js';
import { setThresholds } from '#ledger/domain/set-thresholds.js';
import { foreseeBalances } from '#ledger/forecast/foresee-balances.process.js';
import type { MonthsDue } from '#ledger/forecast/foresee-credits.js';
import { ledgerReader } from '#ledger/history/ledger-reader.js';
import type { ProcessHost } from '#process-engine/process.js';
import { recordsInMemory } from '../finance/random-ledger.js';
import { systemContext } from '../support/system-context.js';
import { EventLog, memoryEventStore } from './memory-event-store.js';

const NOW = '2026-01-05T10:00:00.000Z';
const clock = { now: () => new Date(NOW) };
const TOMORROW = '2026-01-06T09:00:00.000Z';

/** A balance of 10 credits of which months take 10 tomorrow, with an armed threshold of 7 days. */
async function watchedLedger() {
  const log = new EventLog();
  const eventStore = memoryEventStore(log);
  const commands = createCommands({ eventStore, clock, progress: { reached: async () => true } });
  let lastId = 0;
  const decide = (decision: CreditDecision) =>
    commands.handle(creditAccount, '1', decision, { context: systemContext(1) });
  const grantOf = (whole: number) =>
    decide(grant({ movementId: (lastId += 1), credits: credits(whole), reason: 'contract' }));
  await decide(setBillingMode({ mode: 'self' }));
  await grantOf(10);
  await decide(setThresholds({ credits: [], days: [7] }));
  const host = { commands, clock, eventStore, ledgers: ledgerReader(eventStore, recordsInMemory()) };

  /** Forecasts the balance; `meanwhile` happens after the ledger was read and before the decision. */
  async function foresee(lookAt: string, meanwhile: () => Promise<unknown>): Promise<void> {
    const monthsDue: MonthsDue = async () => {
      await meanwhile();
      return [{ at: TOMORROW, credits: credits(10) }];
    };
    const item = { workspaceId: 1, lookAt, foreseenAt: null, endsOn: null, changedAt: NOW };
    // The process reads no other part of its host.
    const { act } = foreseeBalances(monthsDue);
    await act(host as unknown as ProcessHost, item, AbortSignal.timeout(10_000));
  }
  const dataOf = (stream: string, type: string) =>
    log
      .stream(stream)
      .filter((stored) => stored.type === type)
      .map(({ data }) => data);
  return {
    foresee,
    grantOf,
    lows: () => dataOf(streamName(creditAccount, '1'), 'CreditsLow'),
    looks: () => dataOf(streamName(creditOutlook, '1'), 'CreditsForeseen').map(({ lookAt }) => lookAt),
  };
}

describe('LOW-01 a forecast during which credits are added', () => {
  it('notifies no threshold in days, is repeated within an hour, and the threshold stays armed', async () => {
    const { foresee, grantOf, lows, looks } = await watchedLedger();
    await foresee(NOW, () => grantOf(10_000));
    expect(lows()).toEqual([]);
    expect(looks()).toEqual(['2026-01-05T11:00:00.000Z']);
  });

  it('notifies the threshold if nothing was added', async () => {
    const { foresee, lows, looks } = await watchedLedger();
    await foresee(NOW, async () => undefined);
    expect(lows()).toEqual([{ days: 7, endsOn: '2026-01-06', balance: '10000000' }]);
    expect(looks()).toEqual(['2026-01-06T00:15:00.000Z']);
  });
});
