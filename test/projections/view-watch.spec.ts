import type { Projection } from '#kernel/projections/projection.js';
import {
  balances,
  bankPerCase,
  deposited,
  deposits,
  eventually,
  projected,
  rateSet,
  rates,
} from './engine-fixture.js';

describe('watching views', () => {
  const { bank } = bankPerCase();

  const views: readonly Projection[] = [balances(), deposits(), rates()];

  it('is notified at once by the projecting process, about exactly the views that moved', async () => {
    const engine = bank.engine(await bank.connectReads(), views, { watchPollMs: 3_600_000 });
    const moved: string[] = [];
    engine.watch(['balances', 'rates'], (view) => moved.push(view));
    engine.start();
    await projected(bank, engine, deposited(1, 'a'));
    await eventually(() => moved.includes('balances'));
    moved.length = 0;
    await projected(bank, engine, deposited(1, 'b'));
    await eventually(() => moved.length > 0);
    await projected(bank, engine, rateSet(2));
    await eventually(() => moved.length > 1);
    expect(moved).toEqual(['balances', 'rates']);
  });

  it('is notified about the projections of another process', async () => {
    const leader = bank.engine(await bank.connectReads(), views);
    const follower = bank.engine(await bank.connectReads(), views, { watchPollMs: 2 });
    const moved: string[] = [];
    const unwatch = follower.watch(['balances'], (view) => moved.push(view));
    leader.start();
    await projected(bank, leader, deposited(1, 'a'));
    await eventually(() => moved.length > 0);
    const before = moved.length;
    await projected(bank, leader, rateSet(2), deposited(1, 'b'));
    await eventually(() => moved.length > before);
    unwatch();
    const last = moved.length;
    await projected(bank, follower, deposited(1, 'c'));
    expect(moved).toHaveLength(last);
  });

  it('continues when the lead changes, with everything projected in between', async () => {
    const first = bank.engine(await bank.connectReads(), views);
    const second = bank.engine(await bank.connectReads(), views, { watchPollMs: 2 });
    const moved: string[] = [];
    second.watch(['balances'], (view) => moved.push(view));
    first.start();
    await projected(bank, first, deposited(1, 'a'));
    await eventually(() => moved.length > 0);
    second.start();
    await first.stop();
    await eventually(() => second.isLeading());
    moved.length = 0;
    await bank.happen(deposited(1, 'b'));
    await eventually(() => moved.length > 0);
    expect(moved[0]).toBe('balances');
  });
});
