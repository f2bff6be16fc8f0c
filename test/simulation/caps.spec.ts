import { accountFromJson, accountToJson } from '#ledger/domain/account-snapshot.js';
import type { LaunchBudget } from '#ledger/domain/budgets.js';
import { creditAccount, type CreditDecision } from '#ledger/domain/credit-account.js';
import { chargeBatch, endBudget, hold, holdBatch, type Hold } from '#ledger/domain/hold-credits.js';
import { grant, setBillingMode } from '#ledger/domain/post-credits.js';
import {
  addCap,
  removeCap,
  replaceCap,
  type EarlierSpending,
  type WantedCap,
} from '#ledger/domain/set-caps.js';
import { changeCaps } from '#ledger/charging/change-caps.js';
import { ledgerReader } from '#ledger/history/ledger-reader.js';
import { settle } from '#ledger/domain/settle-credits.js';
import { createCommands } from '#kernel/commands/commands.js';
import { streamName } from '#kernel/commands/decider.js';
import { pause } from '#kernel/commands/retry.js';
import type { EventStore, StoredEvent } from '#kernel/ports/event-store.port.js';
import { stateAfter } from '#kernel/testing/scenario.js';
import type { JsonValue } from '#kernel/values/json.js';
import { Refusal } from '#kernel/values/refusal.js';
import { CapsModel } from './caps-model.js';
import { EventLog, memoryEventStore } from './memory-event-store.js';
import { Random } from './random.js';
import { systemContext } from '../support/system-context.js';

const RUNS = Number(process.env['SIMULATION_RUNS'] ?? 6);
const STEPS = 400;
const HOUR_MS = 3_600_000;

type Life = { readonly stored: readonly StoredEvent[]; readonly refused: number; readonly held: number };

/**
 * Months of holds under caps that are added, changed and removed, of launches with budgets, and of restarted
 * processes.
 */
async function lifeOf(seed: number): Promise<Life> {
  const random = new Random(seed);
  const log = new EventLog();
  const eventStore = memoryEventStore(log);
  let now = Date.parse('2026-01-30T20:00:00.000Z');
  const clock = { now: () => new Date(now) };
  const started = () => createCommands({ eventStore, clock, progress: { reached: async () => true } });
  let commands = started();
  const stream = streamName(creditAccount, '1');
  const model = new CapsModel(() => log.stream(stream));
  let lastId = 100;
  let [refused, held] = [0, 0];
  const open: number[] = [];
  const capIds: number[] = [];

  const decide = async (decision: CreditDecision, commandId = `c${(lastId += 1)}`): Promise<boolean> => {
    const context = systemContext(1, commandId);
    try {
      await commands.handle(creditAccount, '1', decision, { context });
      return true;
    } catch (error) {
      if (error instanceof Refusal && error.declaration.kind === 'unpayable') return false;
      throw error;
    }
  };
  const records = new Map<string, JsonValue>();
  const ledgers = ledgerReader(eventStore, {
    getRecord: async <T>(kind: string, key: string) => (records.get(`${kind} ${key}`) ?? null) as T | null,
    putRecord: async (kind, key, value) => void records.set(`${kind} ${key}`, value),
  });
  const setCap = (set: typeof addCap, wanted: WantedCap): Promise<unknown> =>
    changeCaps(
      { commands, clock, ledgers },
      1,
      wanted,
      (earlier) => set(wanted, 'operator', earlier),
      systemContext(1, `c${(lastId += 1)}`),
    );
  const wantedHold = (launchId?: number): Hold => {
    const movementId = (lastId += 1);
    const [agentId, keyId] = [random.oneOf([7, 8]), random.oneOf([4, 5, null])];
    const cause = {
      kind: 'signal',
      agentId,
      ...(keyId === null ? {} : { keyId }),
      ...(launchId === undefined ? {} : { launchId }),
    } as const;
    const credits = BigInt(1 + random.below(9)) * 1_000_000n;
    return { movementId, key: `k${movementId}`, credits, product: 'keyword_match', cause };
  };
  const wantedCap = (capId: number): WantedCap => {
    const scope = random.oneOf(['workspace', 'agent', 'key'] as const);
    const scopeId = scope === 'workspace' ? null : scope === 'agent' ? 7 : 4;
    const limit = BigInt(random.below(60)) * 1_000_000n;
    return { capId, scope, scopeId, period: random.oneOf(['day', 'week', 'month'] as const), limit };
  };

  await decide(setBillingMode({ mode: 'self' }));
  await decide(grant({ movementId: 1, credits: 1_000_000_000n, reason: 'all' }));
  for (let step = 0; step < STEPS; step += 1) {
    now += random.oneOf([0, 1, HOUR_MS, 5 * HOUR_MS]);
    const at = new Date(now).toISOString();
    if (random.happens(0.05)) commands = started();
    const wish = random.below(20);
    if (wish < 8) {
      const wanted = wantedHold();
      const isAllowed = model.allows(wanted, at);
      const commandId = `hold-${wanted.movementId}`;
      expect([step, await decide(hold(wanted), commandId)]).toEqual([step, isAllowed]);
      if (isAllowed) {
        held += 1;
        open.push(wanted.movementId);
        // Sent again by a caller that got no answer.
        const before = log.all.length;
        if (random.happens(0.2)) {
          commands = started();
          expect(await decide(hold(wanted), commandId)).toBe(true);
          expect(log.all.length).toBe(before);
        }
      } else refused += 1;
    } else if (wish < 11) {
      const launchId = 1 + Math.floor(step / 40);
      const budget: LaunchBudget = { launchId, limit: 20_000_000n };
      const batch = [wantedHold(launchId), wantedHold(launchId), wantedHold(launchId)];
      const expected = model.prefix(batch, at, budget);
      await decide(holdBatch(batch, budget));
      const made = batch.filter(({ key }) => model.isHeld(key)).map(({ key }) => key);
      expect([step, made]).toEqual([step, expected]);
      open.push(...batch.filter(({ key }) => made.includes(key)).map(({ movementId }) => movementId));
      if (random.happens(0.1)) await decide(endBudget(launchId));
    } else if (wish < 16) {
      const [ended] = open.splice(random.below(open.length), 1);
      if (ended === undefined) continue;
      const reference = [{ movementId: ended }];
      await decide(settle(random.happens(0.5) ? { capture: reference } : { release: reference }));
    } else if (wish < 19 && capIds.length > 0) {
      const capId = random.oneOf(capIds);
      await setCap(replaceCap, wantedCap(capId));
    } else if (capIds.length < 4) {
      const capId = (lastId += 1);
      await setCap(addCap, wantedCap(capId));
      capIds.push(capId);
    } else {
      const [capId = 0] = capIds.splice(random.below(capIds.length), 1);
      await decide(removeCap(capId, 'operator'));
    }
  }
  return { stored: log.stream(stream), refused, held };
}

describe('holds under caps and budgets, through period ends and restarts of the process', () => {
  const lives = Array.from({ length: RUNS }, (_, seed) => lifeOf(seed + 1));

  it('CAP-01 P21 P22 are allowed and refused like in an independent model, after every step', async () => {
    for (const { refused, held, stored } of await Promise.all(lives)) {
      expect(refused).toBeGreaterThan(10);
      expect(held).toBeGreaterThan(20);
      const periods = new Set(stored.map(({ metadata }) => (metadata['recordedAt'] ?? '').slice(0, 10)));
      expect(periods.size).toBeGreaterThan(10);
    }
  }, 120_000);

  it('LOW-01 report at most once per cap and period that it is reached', async () => {
    let reached = 0;
    for (const { stored } of await Promise.all(lives)) {
      const seen = new Set<string>();
      for (const { type, data } of stored) {
        if (type === 'CapSet')
          for (const each of [...seen]) if (each.startsWith(`${data['capId']} `)) seen.delete(each);
        if (type !== 'CapReached') continue;
        const name = `${data['capId']} ${data['resetsAt']}`;
        expect(seen.has(name)).toBe(false);
        seen.add(name);
        reached += 1;
      }
    }
    expect(reached).toBeGreaterThan(RUNS);
  });

  it('P8 fold to the same state from every snapshot', async () => {
    for (const { stored } of await Promise.all(lives)) {
      const whole = stateAfter(creditAccount, stored);
      for (let split = 5; split < stored.length; split += 41) {
        const before = stateAfter(creditAccount, stored.slice(0, split));
        const json = JSON.parse(JSON.stringify(accountToJson(before)));
        const place = { revision: BigInt(split - 1), position: '0' };
        const restored = stateAfter(creditAccount, stored.slice(split), accountFromJson(json, place));
        expect(restored.limits).toEqual(whole.limits);
      }
    }
  });
});

describe('a ledger that is charged without a pause', () => {
  const memory = (entries: EventLog): EventStore => {
    const store = memoryEventStore(entries);
    return { ...store, append: async (...of) => pause(2).then(() => store.append(...of)) };
  };

  it('CAP-01 gets its cap at once, which counts every charge before it', async () => {
    const log = new EventLog();
    const eventStore = memory(log);
    const clock = { now: () => new Date('2026-01-30T20:00:00.000Z') };
    const commands = createCommands({ eventStore, clock, progress: { reached: async () => true } });
    let lastId = 1;
    const decide = (decision: CreditDecision) =>
      commands.handle(creditAccount, '1', decision, { context: systemContext(1, `c${(lastId += 1)}`) });
    await decide(setBillingMode({ mode: 'self' }));
    await decide(grant({ movementId: 1, credits: 1_000_000n, reason: 'all' }));
    const charge = async (): Promise<void> => {
      const movementId = (lastId += 1);
      const of = { movementId, key: `k${movementId}`, credits: 1n, product: 'account_monitoring' };
      await decide(chargeBatch([{ ...of, cause: { kind: 'monitoring' } }]));
    };
    await charge();
    let isSet = false;
    const others = Array.from({ length: 2 }, async () => {
      for (let charges = 0; charges < 500 && !isSet; charges += 1) await charge();
    });
    const records = { getRecord: async () => null, putRecord: async () => undefined };
    const host = { commands, clock, ledgers: ledgerReader(eventStore, records) };
    const wanted = { capId: 5, scope: 'workspace', scopeId: null, period: 'day', limit: 5n } as const;
    let decisions = 0;
    const set = (earlier: EarlierSpending | null): CreditDecision => {
      decisions += 1;
      return addCap(wanted, 'operator', earlier);
    };
    await changeCaps(host, 1, wanted, set, systemContext(1, 'cap'));
    isSet = true;
    await Promise.all(others);
    const entries = log.stream(streamName(creditAccount, '1'));
    const place = entries.findIndex(({ type }) => type === 'CapSet');
    const before = entries.slice(0, place).filter(({ type }) => type === 'CreditsCaptured').length;
    expect([decisions, entries[place]?.data['spentBefore']]).toEqual([2, String(before)]);
  });
});
