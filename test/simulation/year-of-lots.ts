import { available, granted, ownAccount } from '#ledger/domain/books.js';
import { creditAccount, type CreditDecision } from '#ledger/domain/credit-account.js';
import { holdAll } from '#ledger/domain/hold-credits.js';
import { grant, setBillingMode, withdraw } from '#ledger/domain/post-credits.js';
import { settle } from '#ledger/domain/settle-credits.js';
import { createCommands } from '#kernel/commands/commands.js';
import { streamName } from '#kernel/commands/decider.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { Refusal } from '#kernel/values/refusal.js';
import { LotsModel, type ModelTerms } from './lots-model.js';
import { EventLog, memoryEventStore } from './memory-event-store.js';
import { Random } from './random.js';
import { systemContext } from '../support/system-context.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type Year = { readonly stored: readonly StoredEvent[]; readonly model: LotsModel; readonly passed: number };

/** A year of daily grants that expire, with holds that are captured or released days later, some across an expiry. */
export async function yearOf(seed: number): Promise<Year> {
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
    const context = systemContext(1, `c${lastId}`);
    try {
      await commands.handle(creditAccount, '1', decision, { context, recordsDue });
      return true;
    } catch (error) {
      if (error instanceof Refusal && error.declaration.kind === 'unpayable') return false;
      throw error;
    }
  };
  const expectSame = async (): Promise<void> => {
    const account = await commands.load(creditAccount, '1', ({ books }) => ({
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
    expect(account).toEqual({
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
        // A reader, or a refused command, sees the expiry without writing it.
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
