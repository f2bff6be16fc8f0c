import { createCommands } from '#kernel/commands/commands.js';
import { streamName } from '#kernel/commands/decider.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { Refusal } from '#kernel/values/refusal.js';
import { creditAccount, type CreditDecision } from '#ledger/domain/credit-account.js';
import { holdBatch } from '#ledger/domain/hold-credits.js';
import type { LotTerms } from '#ledger/domain/lot-facts.js';
import { adjust, grant, setBillingMode, withdraw } from '#ledger/domain/post-credits.js';
import { settle } from '#ledger/domain/settle-credits.js';
import { ledgerReader } from '#ledger/history/ledger-reader.js';
import { asOfView } from '#ledger/answers/as-of.answer.js';
import { verifyLedger } from '#ledger/history/verify.js';
import { recordsInMemory, storeOf } from '../finance/random-ledger.js';
import { lifeUntil, mortal, type Life } from '../support/mortal.js';
import { LotsModel } from './lots-model.js';
import { EventLog, memoryEventStore, type Carrier } from './memory-event-store.js';
import { Random } from './random.js';
import { systemContext } from '../support/system-context.js';

const RUNS = Number(process.env['SIMULATION_RUNS'] ?? 30);
const HOUR_MS = 3_600_000;
const LEDGER = streamName(creditAccount, '1');
const COMMANDS = 60;

/**
 * A ledger with lots that several processes write at once, with expiry at random times, requests in any order, and
 * processes that die between any two of their awaits.
 */
async function ledgerOf(seed: number): Promise<readonly StoredEvent[]> {
  const random = new Random(seed);
  const log = new EventLog();
  let now = Date.parse('2026-01-30T00:00:00.000Z');
  let lastId = 0;
  const nextId = (): number => (lastId += 1);
  const turns = async (most: number): Promise<void> => {
    for (let left = random.below(most); left > 0; left -= 1) await new Promise(setImmediate);
  };
  const slowly: Carrier = async (_kind, operation) => {
    await turns(5);
    const result = operation();
    await turns(5);
    return result;
  };
  const processOf = (life: Life) => {
    const eventStore = mortal(memoryEventStore(log, slowly), life, ['readStream', 'readAll', 'subscribe']);
    const progress = { reached: async () => true, reachedAll: async () => true };
    return { life, commands: createCommands({ eventStore, clock: { now: () => new Date(now) }, progress }) };
  };
  const newProcess = () => processOf(lifeUntil(random.happens(0.5) ? 4 + random.below(60) : Infinity));
  const processes = [newProcess(), newProcess(), newProcess()];

  async function send(decision: CreditDecision, recordsDue = false): Promise<void> {
    const place = random.below(processes.length);
    const { life, commands } = processes[place] ?? newProcess();
    const handled = commands.handle(creditAccount, '1', decision, {
      context: systemContext(1, `c${nextId()}`),
      recordsDue,
    });
    const refused = handled.then(
      () => 'done',
      (error: unknown) => {
        if (error instanceof Refusal) return 'refused';
        throw error;
      },
    );
    if ((await Promise.race([refused, life.death])) === 'died') processes[place] = newProcess();
  }

  /** At times absent: no terms. */
  function randomTerms(): LotTerms | undefined {
    if (random.happens(0.2)) return undefined;
    const expiresAt = random.happens(0.8)
      ? new Date(now + HOUR_MS * (1 + random.below(30))).toISOString()
      : null;
    return { expiresAt, priority: random.oneOf([10, 50, 50]), promotional: random.happens(0.5) };
  }

  const keys: string[] = [];
  function randomDecision(): CreditDecision {
    const movementId = nextId();
    const credits = 500_000n * BigInt(1 + random.below(12));
    const wish = random.below(20);
    if (wish < 5) return grant({ movementId, credits, reason: 'r' }, randomTerms());
    if (wish < 12) {
      const holds = Array.from({ length: 1 + random.below(3) }, () => {
        const key = `k${nextId()}`;
        keys.push(key);
        return { movementId: nextId(), key, credits, product: 'p', cause: { kind: 'operator' as const } };
      });
      return holdBatch(holds);
    }
    if (wish < 18) {
      const key = random.oneOf([...keys, 'none']);
      return settle(random.happens(0.5) ? { capture: [{ key }] } : { release: [{ key }] });
    }
    if (wish < 19) return withdraw({ movementId, credits, reason: 'less' });
    if (random.happens(0.5)) return adjust({ movementId, credits: -credits, reason: 'corrected' });
    return adjust({ movementId, credits, reason: 'corrected' }, randomTerms());
  }

  const first = memoryEventStore(log);
  const progress = { reached: async () => true, reachedAll: async () => true };
  const opening = createCommands({ eventStore: first, clock: { now: () => new Date(now) }, progress });
  await opening.handle(creditAccount, '1', setBillingMode({ mode: 'self' }), {
    context: systemContext(1, 'c0'),
  });
  for (let sent = 0; sent < COMMANDS;) {
    const together = 1 + random.below(5);
    await Promise.all(
      Array.from({ length: together }, async () => {
        await turns(20);
        await send(random.happens(0.1) ? () => [] : randomDecision(), random.happens(0.2));
      }),
    );
    sent += together;
    if (random.happens(0.5)) now += random.oneOf([1, HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS]);
  }
  return log.stream(LEDGER);
}

type Shares = readonly { readonly lot: number; readonly credits: string }[];

/** Follows a ledger entry by entry with the model of lots, which predicts each entry. */
function followed(ledger: readonly StoredEvent[]) {
  const model = new LotsModel();
  const after: ({ readonly available: number; readonly lots: readonly string[] } | null)[] = [];
  let across = 0;
  let expiredCount = 0;
  for (const { type, data, metadata } of ledger) {
    const at = metadata['recordedAt'] ?? '';
    const id = Number(data['movementId']);
    const credits = Number(data['credits']);
    const shares = (): readonly string[] =>
      ((data['lots'] ?? []) as Shares).map((share) => `${share.lot} ${share.credits}`).toSorted();
    const ofLots = (name: number, pot: 'held' | 'withdrawn'): readonly string[] =>
      model
        .taken(name, pot)
        .filter((share) => !share.startsWith('0 '))
        .toSorted();
    if (type === 'LotExpired') {
      // The model expires due lots at once; the ledger does so in an entry of its own.
      if (expiredCount === model.expiries.length) model.pass(at);
      expect(model.expiries[expiredCount]).toBe(`${id} ${credits} ${at}`);
      expiredCount += 1;
    } else {
      // Everything due by then is recorded before it.
      model.pass(at);
      expect(model.expiries).toHaveLength(expiredCount);
    }
    switch (type) {
      case 'CreditsGranted':
        model.grant(id, credits, null, at);
        break;
      case 'LotGranted':
      case 'LotAdjusted': {
        const expires = typeof data['expiresAt'] === 'string' ? data['expiresAt'] : null;
        const terms = {
          expires,
          priority: Number(data['priority']),
          promotional: data['promotional'] === true,
        };
        model.grant(id, credits, terms, at);
        break;
      }
      case 'CreditsHeld':
        expect(model.hold(id, credits)).toBe(true);
        expect(shares()).toEqual(ofLots(id, 'held'));
        break;
      case 'CreditsWithdrawn':
        expect(model.withdraw(credits, id)).toBe(true);
        expect(shares()).toEqual(ofLots(id, 'withdrawn'));
        break;
      case 'CreditsAdjusted':
        if (credits > 0) model.grant(id, credits, null, at);
        else {
          expect(model.withdraw(-credits, id)).toBe(true);
          expect(shares()).toEqual(ofLots(id, 'withdrawn'));
        }
        break;
      case 'CreditsCaptured':
        model.end(id, 'captured', at);
        break;
      case 'CreditsReleased': {
        const before = model.expiries.length;
        model.end(id, 'free', at);
        across += model.expiries.length - before;
        break;
      }
    }
    for (const lot of model.lots.values())
      expect(lot.granted).toBe(lot.free + lot.held + lot.captured + lot.withdrawn + lot.expired);
    const lots = [...model.lots.values()]
      .filter(({ id: name, free, held }) => name > 0 && free + held > 0)
      .map(({ id: name, free, held, expired }) => `${name} ${free} ${held} ${expired}`);
    // Within an append whose expiries are not complete the model is ahead.
    after.push(expiredCount < model.expiries.length ? null : { available: model.available, lots });
  }
  return { after, across, expiries: model.expiries.length };
}

describe('lots that several processes spend, with crashes and expiry at random times', () => {
  it('P18 P19 P20 every entry equals the one that an independent model derives from the earlier ones', async () => {
    let [across, expiries, entries] = [0, 0, 0];
    for (let seed = 1; seed <= RUNS; seed += 1) {
      const ledger = await ledgerOf(seed);
      expect(await verifyLedger([ledger], null)).toMatchObject({ ok: true, differences: [] });
      const model = followed(ledger);
      across += model.across;
      expiries += model.expiries;
      entries += ledger.length;
    }
    expect(across).toBeGreaterThan(0);
    expect(expiries).toBeGreaterThan(RUNS);
    expect(entries).toBeGreaterThan(30 * RUNS);
  }, 240_000);

  it('P9 P18 P19 as-of equals the model at every revision, also after the ledger has grown', async () => {
    for (let seed = 1; seed <= Math.ceil(RUNS / 6); seed += 1) {
      const ledger = await ledgerOf(1_000 + seed);
      const { after } = followed(ledger);
      const { eventStore, stored } = storeOf([]);
      const reader = ledgerReader(eventStore, recordsInMemory(), 8);
      const answers: string[] = [];
      let compared = 0;
      const asOf = async (revision: number) =>
        asOfView(await reader.sumsBefore(1, BigInt(revision) + 1n), { revision: BigInt(revision) });
      for (const [revision, entry] of ledger.entries()) {
        stored.push(entry);
        const now = await asOf(revision);
        answers.push(JSON.stringify(now));
        const ofModel = after[revision] ?? null;
        if (ofModel === null) continue;
        const micros = (credits: number): number => Math.round(credits * 1e6);
        expect(micros(now.balance.balance)).toBe(ofModel.available);
        const lots = (now.lots ?? []).map(
          ({ lot, free, held, expired }) => `${lot} ${micros(free)} ${micros(held)} ${micros(expired)}`,
        );
        expect(lots).toEqual(ofModel.lots);
        compared += 1;
      }
      for (const revision of ledger.keys())
        expect(JSON.stringify(await asOf(revision))).toBe(answers[revision]);
      expect(compared).toBeGreaterThan(ledger.length / 2);
    }
  }, 240_000);
});
