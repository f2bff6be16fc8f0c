import fc from 'fast-check';
import { available, granted, ownAccount } from '#ledger/domain/books.js';
import { creditAccount, type CreditDecision } from '#ledger/domain/credit-account.js';
import type { CreditAccount } from '#ledger/domain/account-state.js';
import { holdBatch, holdOutcomes } from '#ledger/domain/hold-credits.js';
import { grant } from '#ledger/domain/post-credits.js';
import { settle } from '#ledger/domain/settle-credits.js';
import { readStatement } from '#ledger/history/statement.js';
import { verifyLedger } from '#ledger/history/verify.js';
import { toJsonNumber } from '#kernel/values/credits.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { Refusal } from '#kernel/values/refusal.js';
import { history, stateAfter } from '#kernel/testing/scenario.js';
import { foldedAsOf } from '../finance/folded-as-of.js';
import { LedgerModel, type ModelCommand, type ModelResult } from './ledger-model.js';
import { decisionOf, holdOf } from './money-commands.js';

const RUNS = Number(process.env['SIMULATION_RUNS'] ?? 100);
const LATER = '2026-02-01T00:00:00.000Z';
const FOREVER = '9999-12-31T00:00:00.000Z';

/** One ledger in memory, decided and folded like in the command path. */
class Ledger {
  stored: readonly StoredEvent[] = history(creditAccount, [
    { type: 'BillingModeSet', data: { billing: 'self' } },
  ]);
  account: CreditAccount = stateAfter(creditAccount, this.stored);

  run(decision: CreditDecision): { readonly result: ModelResult; readonly written: number } {
    try {
      const appended = history(creditAccount, decision(this.account, LATER), this.stored);
      this.stored = [...this.stored, ...appended];
      this.account = stateAfter(creditAccount, appended, this.account);
      return { result: 'done', written: appended.length };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { kind } = error.declaration;
      if (kind !== 'unpayable' && kind !== 'conflicting' && kind !== 'missing') throw error;
      return { result: kind, written: 0 };
    }
  }
}

const key = fc.constantFrom('a', 'b', 'c', 'd');
const amount = fc.bigInt({ min: 1n, max: 40_000_000n });
const id = fc.constant(0);
const holds = fc.array(
  fc.record({
    id,
    key,
    // Few values, so that keys are often used again with the same amount.
    amount: fc.constantFrom(0n, 10_000_000n, 10_000_000n, 10_000_000n, 12_500_000n),
    product: fc.constantFrom('keyword_match', 'keyword_match', 'keyword_match', 'other'),
  }),
  { minLength: 1, maxLength: 4 },
);
const postingKey = fc.option(fc.constantFrom('march', 'april'));
const command: fc.Arbitrary<ModelCommand> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('mode' as const),
      mode: fc.constantFrom('self' as const, 'self' as const, 'exempt' as const, 'partner:7' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('grant', 'withdraw'), id, key: postingKey, amount }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('adjust' as const),
      id,
      key: postingKey,
      amount: fc.bigInt({ min: -20_000_000n, max: 20_000_000n }).filter((change) => change !== 0n),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('holdAll', 'holdBatch', 'charge'), holds }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('settle' as const),
      capture: fc.array(key, { maxLength: 2 }),
      release: fc.array(key, { maxLength: 2 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('sweep' as const), keys: fc.array(key, { maxLength: 3 }) }),
  },
);

/** Allocates ids like the command path: new ones for every attempt, used or not. */
function withIds(wanted: ModelCommand, next: () => number): ModelCommand {
  if ('holds' in wanted) return { ...wanted, holds: wanted.holds.map((hold) => ({ ...hold, id: next() })) };
  if ('id' in wanted) return { ...wanted, id: next() };
  return wanted;
}

function expectSameSums(ledger: Ledger, model: LedgerModel): void {
  const { books, charges } = ledger.account;
  const own = ownAccount(books);
  const sums = { available: available(books), held: own.held, consumed: own.captured };
  expect(sums).toEqual({
    available: model.of('available'),
    held: model.of('held'),
    consumed: model.of('consumed'),
  });
  expect(granted(books)).toBe(-model.of('granted') - model.of('withdrawn'));
  const partner = books.accounts.get('partner:7') ?? { held: 0n, captured: 0n };
  expect(partner).toEqual({ held: model.of('partner:7 held'), captured: model.of('partner:7 consumed') });
  // P1
  expect([...model.accounts.values()].reduce((sum, balance) => sum + balance, 0n)).toBe(0n);
  // P2, P3
  expect(sums.available >= 0n && sums.held >= 0n).toBe(true);
  expect(granted(books) - own.captured).toBe(sums.available + sums.held);
  const open = [...books.openHolds.values()].filter(({ payer }) => payer === 'workspace');
  expect(open.reduce((sum, { credits }) => sum + credits, 0n)).toBe(sums.held);
  // P4: one movement per key, in the state of the model
  const statuses = [...charges.byKey.values()].map((charge) => [charge.key, charge.status, charge.credits]);
  expect(statuses).toEqual(
    [...model.movements.values()].map((movement) => [movement.key, movement.status, movement.amount]),
  );
}

function simulate(
  commands: readonly ModelCommand[],
  afterEach: (ledger: Ledger, model: LedgerModel) => void = () => {},
) {
  const ledger = new Ledger();
  const model = new LedgerModel();
  let lastId = 0;
  const idOf = (of: string) => ledger.account.charges.byKey.get(of)?.movementId ?? 999_999_999;
  for (const wanted of commands) {
    const first = withIds(wanted, () => ++lastId);
    const keys = 'holds' in first ? first.holds.map(holdOf) : [];
    const { result } = ledger.run(decisionOf(first, idOf));
    expect(result).toBe(model.run(first));
    expectSameSums(ledger, model);
    const answered = holdOutcomes(ledger.account, keys);
    // P6: a repetition with new ids has the same answer and no second effect.
    const repeatable = !('amount' in wanted) || wanted.key !== null;
    if (repeatable && wanted.do !== 'holdBatch') {
      const again = withIds(wanted, () => ++lastId);
      const before = snapshot(ledger.account);
      expect(ledger.run(decisionOf(again, idOf))).toEqual({ result, written: 0 });
      expect(snapshot(ledger.account)).toBe(before);
      const answeredAgain = holdOutcomes(ledger.account, 'holds' in again ? again.holds.map(holdOf) : []);
      expect(answeredAgain.map(({ movementId, status }) => [movementId, status])).toEqual(
        answered.map(({ movementId, status }) => [movementId, status]),
      );
    }
    afterEach(ledger, model);
  }
  return { ledger, model };
}

function snapshot(account: CreditAccount): string {
  const plain = (_: string, value: unknown): unknown => {
    if (typeof value === 'bigint') return `${value}n`;
    return value instanceof Map ? [...value] : value;
  };
  return JSON.stringify(account, plain);
}

/** Most start with some credits, because otherwise nearly everything would be refused. */
const sequences = fc
  .tuple(
    fc.bigInt({ min: 1n, max: 90_000_000n }),
    fc.array(command, { size: 'large', minLength: 1, maxLength: 40 }),
  )
  .map(([funds, commands]): readonly ModelCommand[] => [
    { do: 'grant', id: 0, key: null, amount: funds },
    ...commands,
  ]);

describe('the credit ledger against its model', () => {
  it('P1 P2 P3 P4 P6 holds after every step of any sequence of commands, each sent twice', () => {
    fc.assert(
      fc.property(sequences, (commands) => void simulate(commands)),
      { numRuns: RUNS },
    );
  });

  it('P6 refuses a used key with another amount or product and changes nothing', () => {
    const changed = (account: CreditAccount) =>
      [...account.charges.byKey.values()].flatMap(({ key: of, credits, product }) => [
        { movementId: 77_777, key: of, credits: credits + 1n, product, cause: { kind: 'operator' } as const },
        {
          movementId: 77_777,
          key: of,
          credits,
          product: `${product}!`,
          cause: { kind: 'operator' } as const,
        },
      ]);
    const check = (ledger: Ledger) => {
      const before = snapshot(ledger.account);
      for (const other of changed(ledger.account)) {
        expect(ledger.run(holdBatch([other]))).toEqual({ result: 'conflicting', written: 0 });
      }
      expect(snapshot(ledger.account)).toBe(before);
    };
    fc.assert(
      fc.property(sequences, (commands) => void simulate(commands, check)),
      { numRuns: RUNS / 2 },
    );
  });

  it('P8 folding everything equals folding a prefix and then the rest, at every split', () => {
    fc.assert(
      fc.property(sequences, (commands) => {
        const { stored, account } = simulate(commands).ledger;
        for (let split = 0; split <= stored.length; split += 1) {
          const prefix = stateAfter(creditAccount, stored.slice(0, split));
          expect(snapshot(stateAfter(creditAccount, stored.slice(split), prefix))).toBe(snapshot(account));
        }
      }),
      { numRuns: RUNS / 4 },
    );
  });

  it('P9 P12 statements and as-of agree with the fold at every cut, and an untouched ledger verifies', async () => {
    await fc.assert(
      fc.asyncProperty(sequences, fc.nat(), fc.nat(), async (commands, left, right) => {
        const { stored } = simulate(commands).ledger;
        const balanceAt = (count: number) =>
          toJsonNumber(available(stateAfter(creditAccount, stored.slice(0, count)).books));
        const [start, end] = [left % (stored.length + 1), right % (stored.length + 1)].sort((a, b) => a - b);
        if (start === undefined || end === undefined) throw new Error('two cuts were made');
        const timeAt = (index: number) => stored[index]?.metadata['recordedAt'] ?? FOREVER;
        const statement = await readStatement(1, [stored], { from: timeAt(start), to: timeAt(end) });
        expect(statement.opening).toBe(balanceAt(start));
        expect(statement.closing).toBe(balanceAt(end));
        const micros = (credits: number) => BigInt(Math.round(credits * 1_000_000));
        let running = micros(statement.opening);
        for (const row of statement.rows) {
          running += micros(row.credits);
          expect(micros(row.balance)).toBe(running);
          const index = stored.findIndex((event) => event.metadata['recordedAt'] === row.at);
          expect(row.balance).toBe(balanceAt(index + 1));
        }
        expect(running).toBe(micros(statement.closing));
        expect(foldedAsOf(stored, { at: timeAt(end) }).balance.balance).toBe(statement.closing);
        expect(await verifyLedger([stored], null)).toMatchObject({ ok: true, revision: stored.length - 1 });
      }),
      { numRuns: RUNS / 2 },
    );
  });

  it('P13 charges n matches exactly n times the price, with any redelivery and any stop', () => {
    const matches = fc.integer({ min: 1, max: 30 });
    const deliveries = fc.array(fc.record({ batch: fc.nat(), steps: fc.integer({ min: 1, max: 2 }) }), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(matches, deliveries, fc.integer({ min: 1, max: 7 }), (count, redelivered, size) => {
        const ledger = new Ledger();
        ledger.run(grant({ movementId: 1, credits: BigInt(count) * 10_000_000n, reason: '' }));
        let lastId = 1;
        const batches = Math.ceil(count / size);
        const deliver = (batch: number, steps: number) => {
          const wanted = Array.from({ length: Math.min(size, count - batch * size) }, (_, index) =>
            holdOf({
              id: ++lastId,
              key: `launch:1:${batch * size + index}`,
              amount: 10_000_000n,
              product: 'p',
            }),
          );
          ledger.run(holdBatch(wanted));
          // The process ends here.
          if (steps === 1) return;
          const capture = holdOutcomes(ledger.account, wanted).flatMap(({ movementId }) =>
            movementId === null ? [] : [{ movementId }],
          );
          expect(ledger.run(settle({ capture })).result).toBe('done');
        };
        for (const { batch, steps } of redelivered) deliver(batch % batches, steps);
        for (let batch = 0; batch < batches; batch += 1) deliver(batch, 2);
        expect(ownAccount(ledger.account.books)).toEqual({ held: 0n, captured: BigInt(count) * 10_000_000n });
        expect(available(ledger.account.books)).toBe(0n);
        const captures = ledger.stored.filter(({ type }) => type === 'CreditsCaptured');
        expect(captures).toHaveLength(count);
        // Every match was captured, so there is one capture per match.
        expect(new Set(captures.map(({ data }) => data['key'])).size).toBe(count);
      }),
      { numRuns: RUNS / 2 },
    );
  });
});
