import { afterEach, beforeEach, describe, it } from 'node:test';
import { expect } from 'expect';
import { available, ownAccount } from '#domain/credits/books.js';
import { creditAccount } from '#domain/credits/credit-account.js';
import { grant, setBillingMode } from '#domain/credits/post-credits.js';
import { credits } from '#kernel/credits.js';
import { runScript, type Child } from '#test/support/child-process.js';
import { commandPathOn, contextOf, holdConcurrently } from '#test/support/concurrent-holds.js';
import { eventsOf, newEvent, soon } from '#test/support/event-stores.js';
import { sqliteEventStores, type SqliteEventStores } from '#test/support/sqlite-event-stores.js';
import { stateAfter } from '#kernel/testing/scenario.js';

describe('P16 20 holds of 75 at once on 500 credits', () => {
  let stores: SqliteEventStores;
  let children: Child[] = [];
  beforeEach(async () => {
    stores = await sqliteEventStores();
    children = [];
  });
  afterEach(async () => {
    for (const child of children) child.process.kill('SIGKILL');
    await Promise.all(children.map(({ ended }) => ended));
    await stores.tearDown();
  });

  async function fundedWorkspace() {
    const store = await stores.open();
    const commands = commandPathOn(store);
    const decisions = [
      setBillingMode({ mode: 'self' }),
      grant({ movementId: 1_000_000, credits: credits(500), reason: 'test' }),
    ];
    for (const [index, decision] of decisions.entries()) {
      const options = { context: contextOf(`funding ${index}`), answer: () => null };
      await commands.handle(creditAccount, '1', decision, options);
    }
    return store;
  }

  async function expectSix(outcomes: readonly string[]): Promise<void> {
    const held = outcomes.filter((outcome) => outcome.startsWith('held '));
    expect([held.length, new Set(held).size, outcomes.length]).toEqual([6, 6, 20]);
    expect(outcomes.filter((outcome) => outcome === 'insufficient-credits')).toHaveLength(14);
    const { books } = stateAfter(creditAccount, await eventsOf(await stores.open(), 'credits-1'));
    expect([available(books), ownAccount(books).held]).toEqual([credits(50), credits(450)]);
    expect([...books.openHolds.keys()].toSorted()).toEqual(
      held.map((outcome) => Number(outcome.split(' ')[1])).toSorted(),
    );
  }

  it('grants exactly 6 in one process', async () => {
    const store = await fundedWorkspace();
    const keys = Array.from({ length: 20 }, (_, index) => `one:${index}`);
    await expectSix(await holdConcurrently(store, '1', keys, credits(75)));
  });

  it('grants exactly 6 over four processes on one file', async () => {
    const store = await fundedWorkspace();
    for (const name of ['a', 'b', 'c', 'd']) {
      children.push(runScript('racing-holder.js', [stores.path, '1', name, '5', String(credits(75))]));
    }
    await soon('four processes', Promise.all(children.map(({ printed }) => printed(1))));
    await store.append('race-1', 'no-stream', [newEvent('Started')]);
    const codes = await soon('their holds', Promise.all(children.map(({ ended }) => ended)));
    expect([codes, children.map(({ errors }) => errors())]).toEqual([
      [0, 0, 0, 0],
      ['', '', '', ''],
    ]);
    await expectSix(children.flatMap(({ lines }) => lines().filter((line) => line !== 'ready')));
  });
});
