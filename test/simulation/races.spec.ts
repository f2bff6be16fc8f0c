import type { ModelCommand, ModelHold } from './ledger-model.js';
import { FAIR, FOUL, MoneyPath } from './money-path.js';
import { proveHistory } from './money-path-proof.js';
import { Random } from './random.js';

const DAY = 24 * 3_600_000;

function keysOf(path: MoneyPath, type: string): readonly string[] {
  return path.stored.filter((event) => event.type === type).map(({ data }) => String(data['key']));
}

function priced(key: string, amount: bigint): ModelHold {
  return { id: 0, key, amount, product: 'keyword_match' };
}

describe('a late capture and a sweep', () => {
  const ROUNDS = 10_000;
  const ROUNDS_A_RUN = 200;
  const AT_ONCE = 8;

  /** Holds a few at a time, each captured and swept at once right after its expiry. */
  async function race(seed: number, foul: boolean): Promise<MoneyPath> {
    const path = new MoneyPath(new Random(seed), FAIR);
    await path.open();
    path.call([{ do: 'grant', id: 0, key: 'funds', amount: 10_000_000_000n }], 1);
    await path.run();
    if (foul) path.weather = FOUL;
    for (let round = 0; round < ROUNDS_A_RUN; round += AT_ONCE) {
      const keys = Array.from({ length: AT_ONCE }, (_, index) => `k${round + index}`);
      path.call([{ do: 'holdBatch', holds: keys.map((key) => priced(key, 1_000_000n)) }], 1);
      await path.run();
      path.scheduler.now += DAY + 5_000;
      const rivals = keys.flatMap((key): readonly ModelCommand[] => [
        { do: 'settle', capture: [key], release: [] },
        { do: 'sweep', keys: [key] },
      ]);
      path.call(rivals, rivals.length);
      await path.run();
    }
    return path;
  }

  it(`P5 have one winner, ${ROUNDS} times`, async () => {
    let [captured, released] = [0, 0];
    for (let seed = 1; seed <= ROUNDS / ROUNDS_A_RUN; seed += 1) {
      const foul = seed % 5 === 0;
      const path = await race(seed, foul);
      await proveHistory(path.stored, path.attempts);
      const held = keysOf(path, 'CreditsHeld');
      const ended = [...keysOf(path, 'CreditsCaptured'), ...keysOf(path, 'CreditsReleased')];
      // With a healthy store every hold has ended, and none has ended twice.
      expect(new Set(ended).size).toBe(ended.length);
      if (!foul) expect(ended.toSorted()).toEqual(held.toSorted());
      captured += keysOf(path, 'CreditsCaptured').length;
      released += keysOf(path, 'CreditsReleased').length;
    }
    // Each of them was first in some rounds.
    expect(captured).toBeGreaterThan(ROUNDS / 10);
    expect(released).toBeGreaterThan(ROUNDS / 10);
  });
});

describe('the matches of a launch', () => {
  const MATCHES = 40;
  const BATCH = 7;
  const PRICE = 10_000_000n;
  const wanted = Array.from({ length: MATCHES }, (_, index) => priced(`launch:1:${index}`, PRICE));
  /** Found to be invalid after the hold: the decision is recorded, so it is the same every time. */
  const isDropped = (key: string): boolean => Number(key.split(':')[2]) % 6 === 5;

  /** Delivers every batch until one delivery succeeds, and some again later or twice at once. */
  async function launch(seed: number, funds: bigint): Promise<MoneyPath> {
    const random = new Random(seed);
    const path = new MoneyPath(random, FAIR);
    await path.open();
    path.call([{ do: 'grant', id: 0, key: 'funds', amount: funds }], 1);
    await path.run();
    path.weather = FOUL;
    const deliver = (batch: number): void => {
      const holds = wanted.slice(batch * BATCH, (batch + 1) * BATCH);
      const again = (): void => deliver(batch);
      const done = (): void => {
        if (random.happens(0.3)) deliver(batch);
      };
      path.work(
        async (process) => {
          await path.attempt(process, { do: 'holdBatch', holds }, `launch:1:${batch}:hold`);
          const held = keysOf(path, 'CreditsHeld');
          const keys = holds.map(({ key }) => key).filter((key) => held.includes(key));
          const capture = keys.filter((key) => !isDropped(key));
          const release = keys.filter(isDropped);
          await path.attempt(process, { do: 'settle', capture, release }, `launch:1:${batch}:settle`);
        },
        again,
        done,
      );
      if (random.happens(0.2)) deliver(batch);
    };
    for (let batch = 0; batch * BATCH < MATCHES; batch += 1) deliver(batch);
    await path.run();
    await proveHistory(path.stored, path.attempts);
    return path;
  }

  it('P13 are captured once each on a funded workspace, the dropped ones never, through deaths and redelivery', async () => {
    let deaths = 0;
    for (let seed = 1; seed <= 60; seed += 1) {
      const path = await launch(seed, PRICE * BigInt(MATCHES));
      deaths += path.happened.get('deaths') ?? 0;
      const keys = wanted.map(({ key }) => key);
      expect(keysOf(path, 'CreditsHeld').toSorted()).toEqual(keys.toSorted());
      expect(keysOf(path, 'CreditsCaptured').toSorted()).toEqual(
        keys.filter((key) => !isDropped(key)).toSorted(),
      );
      expect(keysOf(path, 'CreditsReleased').toSorted()).toEqual(keys.filter(isDropped).toSorted());
    }
    expect(deaths).toBeGreaterThan(10);
  });

  it('P13 leave no hold open if the credits are insufficient', async () => {
    for (let seed = 100; seed < 120; seed += 1) {
      const path = await launch(seed, PRICE * 11n + 1n);
      const captured = keysOf(path, 'CreditsCaptured');
      const ended = [...captured, ...keysOf(path, 'CreditsReleased')];
      expect(ended.toSorted()).toEqual(keysOf(path, 'CreditsHeld').toSorted());
      expect(captured.length).toBeLessThanOrEqual(11);
      expect(captured.length).toBeGreaterThan(0);
    }
  });
});
