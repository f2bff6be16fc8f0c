import { accountFromJson, accountToJson } from '#ledger/domain/account-snapshot.js';
import { available, granted, ownAccount } from '#ledger/domain/books.js';
import { creditAccount, type CreditDecision } from '#ledger/domain/credit-account.js';
import { holdAll } from '#ledger/domain/hold-credits.js';
import { grant, setBillingMode, withdraw } from '#ledger/domain/post-credits.js';
import { settle } from '#ledger/domain/settle-credits.js';
import { ledgerReader } from '#ledger/history/ledger-reader.js';
import { emptySums, addEntry, toStoredSums } from '#ledger/history/ledger-sums.js';
import { verifyLedger } from '#ledger/history/verify.js';
import { createCommands } from '#kernel/commands/commands.js';
import { streamName, type CommandContext } from '#kernel/commands/decider.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { Refusal } from '#kernel/values/refusal.js';
import { stateAfter } from '#kernel/testing/scenario.js';
import { recordsInMemory, storeOf } from '../finance/random-ledger.js';
import { LotsModel, type ModelTerms } from './lots-model.js';
import { EventLog, memoryEventStore } from './memory-event-store.js';
import { Random } from './random.js';

const YEARS = Number(process.env['SIMULATION_RUNS'] ?? 3);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type Year = { readonly stored: readonly StoredEvent[]; readonly model: LotsModel; readonly passed: number };

/** A year of daily grants that expire, with holds that are captured or given back days later, some across an expiry. */
async function yearOf(seed: number): Promise<Year> {
  const random = new Random(seed);
  const log = new EventLog();
  const eventStore = memoryEventStore(log);
  let now = Date.parse('2026-01-01T00:00:00.000Z');
  const clock = { now: () => new Date(now) };
  const commands = createCommands({ eventStore, clock, progress: { reached: async () => true } });
  const model = new LotsModel();
  let lastId = 0;
  let passed = 0;
  const open: number[] = [];
  const iso = (): string => new Date(now).toISOString();

  const decide = async (decision: CreditDecision, recordsDue = false): Promise<boolean> => {
    lastId += 1;
    const context: CommandContext = {
      commandId: `c${lastId}`,
      actor: { kind: 'system', id: 'test' },
      workspaceId: 1,
      correlationId: '',
    };
    try {
      await commands.handle(creditAccount, '1', decision, { context, answer: () => null, recordsDue });
      return true;
    } catch (error) {
      if (error instanceof Refusal && error.declaration.kind === 'unpayable') return false;
      throw error;
    }
  };
  const expectSame = async (): Promise<void> => {
    const told = await commands.load(creditAccount, '1', ({ books }) => ({
      available: Number(available(books)),
      held: Number(ownAccount(books).held),
      captured: Number(ownAccount(books).captured),
      granted: Number(granted(books)),
      lots: [...books.lots.values()].map(
        ({ id, free, held, captured, withdrawn, expired }) =>
          `${id} ${free} ${held} ${captured} ${withdrawn} ${expired}`,
      ),
    }));
    const ofModel = [...model.lots.values()].filter(({ id, free, held }) => id > 0 && free + held > 0);
    expect(told).toEqual({
      available: model.available,
      held: model.sum('held'),
      captured: model.sum('captured'),
      granted: model.sum('granted') - model.sum('withdrawn') - model.sum('expired'),
      lots: ofModel.map(
        ({ id, free, held, captured, withdrawn, expired }) =>
          `${id} ${free} ${held} ${captured} ${withdrawn} ${expired}`,
      ),
    });
  };

  await decide(setBillingMode({ mode: 'self' }));
  for (let day = 0; day < 365; day += 1) {
    const terms: ModelTerms | null = random.happens(0.1)
      ? null
      : {
          expires: random.happens(0.9) ? new Date(now + (1 + random.below(20)) * DAY_MS).toISOString() : null,
          priority: random.oneOf([50, 50, 50, 10, 90]),
          promotional: random.happens(0.4),
        };
    const isPlain = terms !== null && terms.expires === null && terms.priority === 50 && !terms.promotional;
    const amount = 1_000_000 + random.below(9_000_000);
    const movementId = (lastId += 1);
    const wanted = { movementId, credits: BigInt(amount), reason: 'daily' };
    const given = terms === null ? undefined : { ...terms, expiresAt: terms.expires };
    model.pass(iso());
    expect(await decide(grant(wanted, given))).toBe(true);
    model.grant(movementId, amount, isPlain ? null : terms, iso());
    for (let step = 0; step < 3; step += 1) {
      now += random.oneOf([0, HOUR_MS, 7 * HOUR_MS]);
      if (random.happens(0.1)) {
        // Whoever reads or is refused first sees what has passed, and writes nothing of it.
        passed += 1;
        model.pass(iso());
        await expectSame();
        model.expiries.splice(0, 0);
      }
      const wish = random.below(10);
      const credits = 500_000 + random.below(9_000_000);
      const id = (lastId += 1);
      if (wish < 5) {
        const before = log.all.length;
        model.pass(iso());
        const hold = { movementId: id, key: `k${id}`, credits: BigInt(credits), product: 'keyword_match' };
        const isHeld = await decide(holdAll([{ ...hold, cause: { kind: 'operator' } }]));
        expect(isHeld).toBe(model.hold(id, credits));
        if (isHeld) open.push(id);
        else expect(log.all.length).toBe(before);
      } else if (wish < 9) {
        const [ended] = open.splice(random.below(open.length), 1);
        if (ended === undefined) continue;
        const isCaptured = random.happens(0.5);
        const reference = [{ movementId: ended }];
        model.pass(iso());
        await decide(settle(isCaptured ? { capture: reference } : { release: reference }));
        model.end(ended, isCaptured ? 'captured' : 'free', iso());
      } else {
        const credits = random.below(2_000_000) + 1;
        model.pass(iso());
        const isTaken = await decide(withdraw({ movementId: id, credits: BigInt(credits), reason: 'less' }));
        expect(isTaken).toBe(model.withdraw(credits));
      }
      model.pass(iso());
      await expectSame();
    }
    now = Date.parse('2026-01-01T00:00:00.000Z') + (day + 1) * DAY_MS;
  }
  model.pass(iso());
  await decide(() => [], true);
  return { stored: log.stream(streamName(creditAccount, '1')), model, passed };
}

describe('a year of daily grants that expire', () => {
  const years = Array.from({ length: YEARS }, (_, seed) => yearOf(seed + 1));

  it('LOT-01..07 P18 P19 comes to what an independent model makes of it, after every step', async () => {
    for (const { stored, model, passed } of await Promise.all(years)) {
      expect(passed).toBeGreaterThan(20);
      const expiries = stored
        .filter(({ type }) => type === 'LotExpired')
        .map(({ data, metadata }) => `${data['movementId']} ${data['credits']} ${metadata['recordedAt']}`);
      expect(expiries).toEqual(model.expiries);
      expect(expiries.length).toBeGreaterThan(100);
      const times = stored.map(({ metadata }) => metadata['recordedAt'] ?? '');
      expect(times).toEqual(times.toSorted());
      // P18: of every lot, all that was granted is somewhere.
      for (const lot of model.lots.values())
        expect(lot.granted).toBe(lot.free + lot.held + lot.captured + lot.withdrawn + lot.expired);
    }
  }, 120_000);

  it('P20 no hold takes from a lot at or after its end, and some were given back across it', async () => {
    let across = 0;
    for (const { stored } of await Promise.all(years)) {
      for (const { type, data, metadata } of stored) {
        if (type !== 'CreditsHeld' && type !== 'CreditsReleased') continue;
        const at = metadata['recordedAt'] ?? '';
        for (const { expiresAt } of (data['lots'] ?? []) as { expiresAt?: string }[]) {
          if (expiresAt === undefined || expiresAt > at) continue;
          expect(type).toBe('CreditsReleased');
          across += 1;
        }
      }
    }
    expect(across).toBeGreaterThan(YEARS);
  });

  it('P8 folds the same from every snapshot and mark, and is proven', async () => {
    for (const { stored } of await Promise.all(years)) {
      expect(await verifyLedger([stored], null)).toMatchObject({ ok: true, differences: [] });
      const whole = stateAfter(creditAccount, stored);
      for (let split = 50; split < stored.length; split += 97) {
        const place = { revision: BigInt(split - 1), position: '0' };
        const json = JSON.parse(
          JSON.stringify(accountToJson(stateAfter(creditAccount, stored.slice(0, split)))),
        );
        const restored = stateAfter(creditAccount, stored.slice(split), accountFromJson(json, place));
        expect(restored.books).toEqual(whole.books);
      }
      const { eventStore } = storeOf(stored);
      const reader = ledgerReader(eventStore, recordsInMemory());
      const sums = emptySums();
      for (const entry of stored) {
        if (entry.revision % 41n === 0n) {
          const before = toStoredSums(await reader.sumsBefore(1, entry.revision));
          expect(before).toEqual(toStoredSums(sums));
        }
        addEntry(sums, entry);
      }
    }
  }, 60_000);
});
