import { accountFromJson, accountToJson } from '#ledger/domain/account-snapshot.js';
import { creditAccount, type CreditDecision } from '#ledger/domain/credit-account.js';
import { hold } from '#ledger/domain/hold-credits.js';
import { adjust, grant, setBillingMode, withdraw } from '#ledger/domain/post-credits.js';
import { countDue } from '#ledger/domain/recurring-facts.js';
import { addRecurring, giveDue } from '#ledger/domain/recurring-grants.js';
import { setThresholds } from '#ledger/domain/set-thresholds.js';
import { settle } from '#ledger/domain/settle-credits.js';
import { createCommands } from '#kernel/commands/commands.js';
import { streamName } from '#kernel/commands/decider.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { stateAfter } from '#kernel/testing/scenario.js';
import { toStored } from '#kernel/values/credits.js';
import { Refusal } from '#kernel/values/refusal.js';
import { EventLog, memoryEventStore } from './memory-event-store.js';
import { Random } from './random.js';
import { systemContext } from '../support/system-context.js';

const RUNS = Number(process.env['SIMULATION_RUNS'] ?? 6);
const STEPS = 300;
const HOUR_MS = 3_600_000;
const CREDIT = 1_000_000n;

/** Months of a watched balance with lots that expire, a recurring grant, and two processes that write and restart. */
async function lifeOf(seed: number): Promise<readonly StoredEvent[]> {
  const random = new Random(seed);
  const log = new EventLog();
  const eventStore = memoryEventStore(log);
  let now = Date.parse('2026-01-30T20:00:00.000Z');
  const clock = { now: () => new Date(now) };
  const started = () => createCommands({ eventStore, clock, progress: { reached: async () => true } });
  const processes = [started(), started()];
  let lastId = 100;
  const open: number[] = [];

  const decide = async (decision: CreditDecision): Promise<boolean> => {
    const context = systemContext(1, `c${(lastId += 1)}`);
    try {
      await random.oneOf(processes).handle(creditAccount, '1', decision, { context });
      return true;
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  };
  const amount = (most: number): bigint => BigInt(1 + random.below(most)) * CREDIT;
  const posting = (most: number) => ({ movementId: (lastId += 1), credits: amount(most), reason: 'r' });
  const until = (): string => new Date(now + (1 + random.below(200)) * HOUR_MS).toISOString();

  async function giveRecurring(): Promise<void> {
    const at = new Date(now).toISOString();
    const due = await processes[0]?.load(creditAccount, '1', ({ recurring: { open: rules } }) => {
      const rule = rules.get(1);
      return rule === undefined ? 0 : countDue(rule, rule.passed, at, 10);
    });
    if (due === undefined || due === 0) return;
    const movementIds = Array.from({ length: due }, () => (lastId += 1));
    await decide(giveDue(1, movementIds));
  }

  async function holdOne(): Promise<void> {
    const movementId = (lastId += 1);
    const cause = { kind: 'operator' } as const;
    const wanted = { movementId, key: `k${movementId}`, credits: amount(25), product: 'p', cause };
    if (await decide(hold(wanted))) open.push(movementId);
  }

  await decide(setBillingMode({ mode: 'self' }));
  await decide(grant(posting(100)));
  await decide(
    addRecurring(
      {
        credits: toStored(12n * CREDIT),
        reason: 'weekly',
        every: 'week',
        from: '2026-02-01T00:00:00.000Z',
        lifetime: { unit: 'day', count: 3 },
        priority: 20,
        promotional: true,
        ceiling: toStored(20n * CREDIT),
      },
      false,
    ),
  );
  for (let step = 0; step < STEPS; step += 1) {
    now += random.oneOf([0, 1, HOUR_MS, 7 * HOUR_MS]);
    if (random.happens(0.1)) processes[random.below(2)] = started();
    await giveRecurring();
    const wish = random.below(20);
    if (wish < 7) await Promise.all([holdOne(), holdOne()]);
    else if (wish < 12) {
      const [ended] = open.splice(random.below(open.length), 1);
      if (ended === undefined) continue;
      const reference = [{ movementId: ended }];
      await decide(settle(random.happens(0.6) ? { capture: reference } : { release: reference }));
    } else if (wish < 14) await decide(withdraw(posting(30)));
    else if (wish < 16)
      await decide(adjust({ ...posting(20), credits: amount(20) - 10n * CREDIT || CREDIT }));
    else if (wish < 18) {
      const terms = { expiresAt: random.happens(0.7) ? until() : null, priority: 50, promotional: false };
      await decide(grant(posting(60), terms));
    } else await decide(setThresholds({ credits: [amount(40), amount(90)], days: [7] }));
  }
  return log.stream(streamName(creditAccount, '1'));
}

const NOTICES = new Set(['CreditsLow', 'CreditsRunOut']);

/** The amount that an entry adds to the balance. */
function addedBy(type: string, data: StoredEvent['data'], held: Map<unknown, bigint>): bigint {
  const credits = typeof data['credits'] === 'string' ? BigInt(data['credits']) : 0n;
  if (type === 'CreditsHeld') held.set(data['movementId'], credits);
  switch (type) {
    case 'CreditsGranted':
    case 'LotGranted':
    case 'CreditsAdjusted':
      return credits;
    case 'CreditsWithdrawn':
    case 'LotExpired':
    case 'CreditsHeld':
      return -credits;
    case 'CreditsReleased':
      return held.get(data['movementId']) ?? 0n;
    default:
      return 0n;
  }
}

/** Compares the notices of a ledger with a simple reading of its other entries; returns the number of notices. */
function compareWithReading(stored: readonly StoredEvent[]): number {
  const held = new Map<unknown, bigint>();
  let balance = 0n;
  /** Whether each threshold is armed; -1 is the end of the balance. */
  let armed = new Map<bigint, boolean>();
  const isAbove = (threshold: bigint): boolean => (threshold < 0n ? balance >= CREDIT : balance > threshold);
  let notices = 0;
  let expected: readonly string[] = [];
  for (const { type, data, metadata } of stored) {
    if (NOTICES.has(type)) {
      const [next, ...others] = expected;
      expect(`${type} ${data['credits'] ?? -1} ${data['balance']}`).toBe(next);
      expect(metadata['actorId']).toBe('follows');
      expected = others;
      notices += 1;
      continue;
    }
    expect(expected).toEqual([]);
    const added = addedBy(type, data, held);
    balance += added;
    if (type === 'ThresholdsSet' && Array.isArray(data['credits'])) {
      const before = armed;
      const wanted = [...data['credits'].map((each) => BigInt(String(each))), -1n];
      armed = new Map(wanted.map((each) => [each, before.get(each) ?? isAbove(each)]));
    }
    if (added > 0n && type !== 'CreditsReleased')
      for (const threshold of armed.keys()) if (isAbove(threshold)) armed.set(threshold, true);
    const crossed = [...armed].filter(([threshold, isArmed]) => isArmed && !isAbove(threshold));
    expected = crossed
      .map(([threshold]) => threshold)
      .sort((left, right) => Number(right - left))
      .map((threshold) => `${threshold < 0n ? 'CreditsRunOut' : 'CreditsLow'} ${threshold} ${balance}`);
    for (const [threshold] of crossed) armed.set(threshold, false);
  }
  expect(expected).toEqual([]);
  return notices;
}

describe('a watched balance, through expiries, recurring grants and restarts of two processes', () => {
  const lives = Array.from({ length: RUNS }, (_, seed) => lifeOf(seed + 1));

  it('P25 LOW-01 notifies each threshold once per arming, after the entry that crosses it', async () => {
    const counted = (await Promise.all(lives)).map(compareWithReading);
    for (const notices of counted) expect(notices).toBeGreaterThan(5);
    const types = new Set((await Promise.all(lives)).flat().map(({ type }) => type));
    for (const type of ['CreditsRunOut', 'LotExpired', 'LotGranted', 'RecurringGrantAdded'])
      expect([type, types.has(type)]).toEqual([type, true]);
  }, 120_000);

  it('P8 folds to the same state from every snapshot', async () => {
    for (const stored of await Promise.all(lives)) {
      const whole = stateAfter(creditAccount, stored);
      for (let split = 5; split < stored.length; split += 41) {
        const before = stateAfter(creditAccount, stored.slice(0, split));
        const json = JSON.parse(JSON.stringify(accountToJson(before)));
        const place = { revision: BigInt(split - 1), position: '0' };
        const restored = stateAfter(creditAccount, stored.slice(split), accountFromJson(json, place));
        expect(restored.watch.marks).toEqual(whole.watch.marks);
      }
    }
  });
});
