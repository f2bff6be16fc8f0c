import fc from 'fast-check';
import { accountFromJson, accountToJson } from '#ledger/domain/account-snapshot.js';
import { creditAccount, type CreditDecision } from '#ledger/domain/credit-account.js';
import type { CreditAccount } from '#ledger/domain/account-state.js';
import { chargeBatch, holdAll, holdBatch, type Hold } from '#ledger/domain/hold-credits.js';
import { forgetOld, recallFacts, type LedgerFact } from '#ledger/domain/ledger-memory.js';
import { adjust, grant, setBillingMode, withdraw } from '#ledger/domain/post-credits.js';
import { releaseExpired, settle } from '#ledger/domain/settle-credits.js';
import { toStored } from '#kernel/values/credits.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { Forgotten } from '#kernel/ports/recall.port.js';
import { Refusal } from '#kernel/values/refusal.js';
import { history, stateAfter } from '#kernel/testing/scenario.js';

const RUNS = Number(process.env['SIMULATION_RUNS'] ?? 150);
const KEYS = 6;
const LATER = '2026-02-01T00:00:00.000Z';

/** A step: a decision, or an operation that makes the second ledger forget. */
type Step =
  | { readonly do: 'restart' | 'trim'; readonly at: number }
  | {
      readonly do:
        'holdAll' | 'holdBatch' | 'charge' | 'settle' | 'sweep' | 'grant' | 'withdraw' | 'adjust' | 'mode';
      readonly keys: readonly number[];
      readonly amount: number;
      /** How many events the index is behind when it is asked. */
      readonly lag: number;
    };

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('restart', 'trim'), at: fc.nat() }) },
    {
      weight: 8,
      arbitrary: fc.record({
        do: fc.constantFrom(
          ...(['holdAll', 'holdBatch', 'charge', 'settle', 'settle', 'sweep', 'grant', 'withdraw'] as const),
          ...(['adjust', 'mode'] as const),
        ),
        keys: fc.array(fc.nat(KEYS - 1), { minLength: 1, maxLength: 3 }),
        amount: fc.constantFrom(1, 1, 1, 2),
        lag: fc.nat(4),
      }),
    },
  ),
  { minLength: 5, maxLength: 60 },
);

const keyOf = (number: number): string => `k${number}`;
const nameOf = (number: number): string => `posting${number}`;

function decisionOf(step: Step, nextId: () => number, idOf: (key: number) => number): CreditDecision | null {
  if ('at' in step) return null;
  const credits = BigInt(step.amount) * 1_000_000n;
  const [first = 0, second = first] = step.keys;
  const holds = step.keys.map((key): Hold => ({
    movementId: nextId(),
    key: keyOf(key),
    credits,
    product: 'p',
    cause: { kind: 'operator' },
  }));
  const posting = { movementId: nextId(), key: nameOf(first), credits: credits * 4n, reason: 'r' };
  switch (step.do) {
    case 'holdAll':
      return holdAll(holds);
    case 'holdBatch':
      return holdBatch(holds);
    case 'charge':
      return chargeBatch(holds);
    case 'settle':
      return settle({ capture: [{ key: keyOf(first) }], release: [{ movementId: idOf(second) }] });
    case 'sweep':
      return releaseExpired({ movementIds: step.keys.map(idOf), heldBefore: '9999-01-01T00:00:00.000Z' });
    case 'grant':
      return grant(posting);
    case 'withdraw':
      return withdraw({ ...posting, credits });
    case 'adjust':
      return adjust({ ...posting, credits: step.amount === 2 ? -credits : credits, corrects: idOf(second) });
    case 'mode':
      return setBillingMode(step.amount === 2 ? { mode: 'exempt' } : { mode: 'self' });
  }
}

function outcomeOf(decide: () => readonly unknown[]) {
  try {
    return { events: decide() };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { refused: error.declaration.code, fields: [...(error.details.errors?.keys() ?? [])] };
  }
}

const placeOf = ({ revision, position }: StoredEvent) => ({ revision, position });
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** The index after some entries: answers with the position up to which it has read. */
function indexAfter(stored: readonly StoredEvent[]) {
  const { charges, postings } = stateAfter(creditAccount, stored);
  return (asked: readonly string[]) => {
    const found = new Map<string, LedgerFact>();
    for (const question of asked) {
      const [kind = '', name = ''] = question.split('/');
      if (kind === 'corrections' || kind === 'ended') {
        const seen = postings[kind].get(Number(name))?.remembered ?? [];
        const sum = seen.reduce((total, { credits }) => total + credits, 0n);
        const upTo = Number(seen.at(-1)?.postedAt ?? -1n);
        const fact = { kind, movementId: Number(name), credits: toStored(sum), upTo } as const;
        if (seen.length > 0) found.set(question, fact);
        continue;
      }
      const charge = kind === 'charge' ? charges.byKey.get(name) : charges.byMovement.get(Number(name));
      const posting =
        kind === 'grant'
          ? postings.byGrantKey.get(name)
          : kind === 'adjustment'
            ? postings.byAdjustKey.get(name)
            : postings.byMovement.get(Number(name));
      if (charge !== undefined && (kind === 'charge' || kind === 'movement')) {
        const { changedAt: _, credits, kind: causeKind, ...rest } = charge;
        found.set(question, { ...rest, kind: 'charge', causeKind, credits: toStored(credits) });
      } else if (posting !== undefined && kind !== 'charge') {
        const { movementId, credits, corrects } = posting;
        const key = kind === 'movement' ? null : name;
        found.set(question, { kind: posting.kind, movementId, key, credits: toStored(credits), corrects });
      }
    }
    return { position: stored.at(-1)?.position ?? '', asked, found };
  };
}

/** Charges whose corrections exceed the captured amount, recounted from the entries alone (P17). */
function overcorrected(stored: readonly StoredEvent[]): readonly number[] {
  const captured = new Map<number, bigint>();
  const corrected = new Map<number, bigint>();
  for (const { type, data } of stored) {
    const credits = BigInt(String(data['credits'] ?? '0'));
    if (type === 'CreditsCaptured') captured.set(Number(data['movementId']), credits);
    const corrects = Number(data['corrects'] ?? 0);
    if (corrects !== 0) corrected.set(corrects, (corrected.get(corrects) ?? 0n) + credits);
  }
  return [...corrected].filter(([id, sum]) => sum > (captured.get(id) ?? 0n)).map(([id]) => id);
}

describe('a ledger that forgets', () => {
  it('P6 P8 P17 decides everything like one that remembers, wherever it restarts, trims or uses a late index', () => {
    let asked = 0;
    let forgot = 0;
    const property = fc.property(steps, (sequence) => {
      let stored = history(creditAccount, [
        { type: 'BillingModeSet', data: { billing: 'self' } },
        { type: 'CreditsGranted', data: { movementId: 1, credits: '20000000', reason: 'r' } },
      ]);
      let whole = stateAfter(creditAccount, stored);
      let forgetful = stateAfter(creditAccount, stored);
      let lastId = 1;
      const idOf = (key: number): number => whole.charges.byKey.get(keyOf(key))?.movementId ?? 999_999;
      for (const step of sequence) {
        const head = stored.at(-1);
        if (head === undefined) throw new Error('a ledger has entries');
        if (step.do === 'restart') {
          forgetful = accountFromJson(JSON.parse(JSON.stringify(accountToJson(whole))), placeOf(head));
          forgot += 1;
          continue;
        }
        if (step.do === 'trim') {
          const from = Number(forgetful.memory.forgotten?.revision ?? 0n);
          const place = stored[from + (step.at % (stored.length - from))] ?? head;
          forgetOld(forgetful, placeOf(place), 0);
          forgot += 1;
          continue;
        }
        const ids: number[] = [];
        const nextId = (): number => {
          lastId += 1;
          ids.push(lastId);
          return lastId;
        };
        const decision = decisionOf(step, nextId, idOf);
        if (decision === null || 'at' in step) continue;
        const right = outcomeOf(() => decision(whole, LATER));
        let answered: unknown = null;
        for (let round = 0; answered === null; round += 1) {
          expect(round).toBeLessThan(4);
          try {
            answered = outcomeOf(() => decision(forgetful, LATER));
          } catch (error) {
            if (!(error instanceof Forgotten)) throw error;
            asked += 1;
            const needed = Number(forgetful.memory.forgotten?.revision ?? -1n) + 1;
            const seen = Math.max(needed, stored.length - step.lag);
            recallFacts(forgetful, indexAfter(stored.slice(0, seen))(error.questions));
          }
        }
        expect(plain(answered)).toEqual(plain(right));
        if (!('events' in right)) continue;
        const appended = history(creditAccount, decision(whole, LATER), stored);
        stored = [...stored, ...appended];
        whole = stateAfter(creditAccount, appended, whole);
        forgetful = stateAfter(creditAccount, appended, forgetful);
        expect(forgetful.books).toEqual(whole.books);
        expect(overcorrected(stored)).toEqual([]);
      }
    });
    fc.assert(property, { numRuns: RUNS });
    expect(Math.min(asked, forgot)).toBeGreaterThan(RUNS);
  });

  it('does not use the answer of an index that has not read what it forgot', () => {
    const stored = history(creditAccount, [
      { type: 'BillingModeSet', data: { billing: 'self' } },
      { type: 'CreditsGranted', data: { movementId: 1, credits: '20000000', reason: 'r' } },
    ]);
    const [, granted] = stored;
    if (granted === undefined) throw new Error('there was a grant');
    const account = accountFromJson(
      JSON.parse(JSON.stringify(accountToJson(stateAfter(creditAccount, stored)))),
      placeOf(granted),
    );
    const again = grant({ movementId: 2, key: 'march', credits: 1n, reason: 'r' });
    expect(() => again(account, LATER)).toThrow(Forgotten);
    recallFacts(account, indexAfter(stored.slice(0, 1))(['grant/march']));
    expect(() => again(account, LATER)).toThrow(Forgotten);
    recallFacts(account, indexAfter(stored)(['grant/march']));
    expect(again(account, LATER)).toHaveLength(1);
  });
});

describe('a ledger that is rewound', () => {
  it('has the state of its mark after a rewind, whatever was decided in between', () => {
    fc.assert(
      fc.property(steps, steps, (before, speculation) => {
        const opened = history(creditAccount, [
          { type: 'BillingModeSet', data: { billing: 'self' } },
          { type: 'CreditsGranted', data: { movementId: 1, credits: '20000000', reason: 'r' } },
        ]);
        let lastId = 1;
        const run = (from: CreditAccount, past: readonly StoredEvent[], sequence: readonly Step[]) => {
          let account = from;
          let stored = past;
          const idOf = (key: number): number => account.charges.byKey.get(keyOf(key))?.movementId ?? 999_999;
          for (const step of sequence) {
            const decision = decisionOf(step, () => (lastId += 1), idOf);
            if (decision === null || 'at' in step) continue;
            const outcome = outcomeOf(() => decision(account, LATER));
            if (!('events' in outcome)) continue;
            const appended = history(creditAccount, decision(account, LATER), stored);
            account = stateAfter(creditAccount, appended, account);
            stored = [...stored, ...appended];
          }
          return { account, stored };
        };
        const { account, stored } = run(stateAfter(creditAccount, opened), opened, before);
        const marked = shape(account);
        const back = creditAccount.rewind?.(account);
        run(account, stored, speculation);
        back?.();
        expect(shape(account)).toEqual(marked);
      }),
      { numRuns: RUNS },
    );
  });
});

/** The whole state except the order of its maps, which nothing depends on. */
function shape(account: CreditAccount): unknown {
  const sorted = (_: string, value: unknown): unknown => {
    if (typeof value === 'bigint') return `${value}n`;
    return value instanceof Map ? [...value].map((entry) => JSON.stringify(entry, sorted)).sort() : value;
  };
  return JSON.stringify(account, sorted);
}
