import fc from 'fast-check';
import { asOfView } from '#ledger/answers/as-of.answer.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import {
  statementRowView,
  statementSummaryView,
  statementView,
  type StatementRowView,
} from '#ledger/answers/statement.answer.js';
import { ledgerReader, type LedgerReader } from '#ledger/history/ledger-reader.js';
import { toStoredSums } from '#ledger/history/ledger-sums.js';
import { readStatement } from '#ledger/history/statement.js';
import { statementBounds, statementPage, type StatementPeriod } from '#ledger/history/statement-page.js';
import { verifyLedger } from '#ledger/history/verify.js';
import { history } from '#kernel/testing/scenario.js';
import { foldedAsOf } from './folded-as-of.js';
import { randomLedger, recordsInMemory, storeOf } from './random-ledger.js';

const RUNS = { numRuns: Number(process.env['SIMULATION_RUNS'] ?? 100) };
const WORKSPACE = 1;
/** A moment near the entries: before some, equal to some, or after all of them. */
const moment = fc.option(
  fc
    .integer({ min: -1, max: 40 })
    .map((hours) => new Date(Date.parse('2026-01-01T00:00:00.000Z') + hours * 3_600_000).toISOString()),
);
const period = fc
  .tuple(moment, moment)
  .map(([one, two]): StatementPeriod =>
    one !== null && two !== null && one > two ? { from: two, to: one } : { from: one, to: two },
  );

/** A ledger of so many grants of a micro-credit. */
const ledgerOfGrants = (grants: number, { credits = '1', reason = '' } = {}) =>
  history(creditAccount, [
    { type: 'BillingModeSet', data: { billing: 'self' } },
    ...Array.from({ length: grants }, (_, index) => ({
      type: 'CreditsGranted' as const,
      data: { movementId: index + 1, credits, reason },
    })),
  ]);

async function boundsOf(reader: LedgerReader, asked: StatementPeriod, revision: bigint) {
  const head = await reader.head(WORKSPACE);
  return head === null ? { first: 0n, end: 0n } : statementBounds(reader, WORKSPACE, asked, revision, head);
}

/** The whole statement as an API client reads it: page by page; `between` runs before each further page. */
async function paged(
  reader: LedgerReader,
  asked: StatementPeriod,
  revision: bigint,
  limit: number,
  between: () => void = () => undefined,
) {
  const bounds = await boundsOf(reader, asked, revision);
  const rows: StatementRowView[] = [];
  const summaries = new Set<string>();
  for (let next: bigint | null = bounds.first; next !== null;) {
    const page = await statementPage(reader, WORKSPACE, asked, bounds, { start: next, limit });
    summaries.add(JSON.stringify(statementSummaryView(page.summary)));
    expect(page.rows.length).toBeLessThanOrEqual(limit);
    rows.push(...page.rows.map(statementRowView));
    next = page.next;
    between();
  }
  const [summary = '', ...others] = summaries;
  expect(others).toEqual([]);
  return { ...JSON.parse(summary), rows };
}

const readerOf = (
  ...[ledger, records = recordsInMemory()]: [
    Parameters<typeof storeOf>[0],
    ReturnType<typeof recordsInMemory>?,
  ]
) => {
  const store = storeOf(ledger);
  return { ...store, records, reader: ledgerReader(store.eventStore, records, 4, { memory: new Map() }) };
};

describe('a statement, read in any way', () => {
  it('P9 P12 is the same from pages and marks as from one fold over everything', async () => {
    await fc.assert(
      fc.asyncProperty(
        randomLedger(),
        period,
        fc.integer({ min: 1, max: 5 }),
        fc.nat(),
        async (ledger, asked, limit, cut) => {
          const { reader } = readerOf(ledger);
          const revision = BigInt(cut % ledger.length);
          const statement = await readStatement(WORKSPACE, [ledger], { ...asked, asOf: { revision } });
          const { workspace_id, ...whole } = statementView(statement);
          expect(workspace_id).toBe(WORKSPACE);
          expect(await paged(reader, asked, revision, limit)).toEqual(whole);
          // Once more, after every mark was written.
          expect(await paged(reader, asked, revision, limit)).toEqual(whole);
        },
      ),
      RUNS,
    );
  });

  it('P12 has in row k the fold up to that row; opening and rows add up to the closing', async () => {
    await fc.assert(
      fc.asyncProperty(randomLedger(), period, async (ledger, asked) => {
        const { reader } = readerOf(ledger);
        const head = BigInt(ledger.length - 1);
        const statement = await paged(reader, asked, head, 100);
        const micros = (credits: number) => BigInt(Math.round(credits * 1e6));
        let balance = micros(statement.opening);
        for (const row of statement.rows) {
          balance += micros(row.credits);
          expect(micros(row.balance)).toBe(balance);
          const folded = foldedAsOf(ledger, { revision: BigInt(row.revision) });
          expect(folded.balance.balance).toBe(row.balance);
        }
        expect(balance).toBe(micros(statement.closing));
      }),
      RUNS,
    );
  });

  it('P12 split anywhere, opens with the previous closing and has every row and spending once', async () => {
    await fc.assert(
      fc.asyncProperty(randomLedger(), fc.array(moment, { maxLength: 4 }), async (ledger, moments) => {
        const { reader } = readerOf(ledger);
        const head = BigInt(ledger.length - 1);
        const cuts = [null, ...moments.filter((at) => at !== null).toSorted(), null];
        const parts: Awaited<ReturnType<typeof paged>>[] = [];
        for (let index = 1; index < cuts.length; index += 1) {
          parts.push(
            await paged(reader, { from: cuts[index - 1] ?? null, to: cuts[index] ?? null }, head, 3),
          );
        }
        const whole = await paged(reader, { from: null, to: null }, head, 100);
        expect(parts.flatMap(({ rows }) => rows)).toEqual(whole.rows);
        expect(parts[0]?.opening).toBe(whole.opening);
        expect(parts.at(-1)?.closing).toBe(whole.closing);
        parts.slice(1).forEach((part, index) => expect(part.opening).toBe(parts[index]?.closing));
        for (const payer of ['workspace', 'partner:7']) {
          const spent = parts.reduce(
            (sum, { totals }) => sum + Math.round((totals.by_payer[payer] ?? 0) * 1e6),
            0,
          );
          expect(spent).toBe(Math.round((whole.totals.by_payer[payer] ?? 0) * 1e6));
        }
      }),
      RUNS,
    );
  });

  it('P9 has the same bytes at its revision for ever, while entries are written between its pages', async () => {
    await fc.assert(
      fc.asyncProperty(
        randomLedger(2),
        period,
        fc.integer({ min: 1, max: 3 }),
        async (ledger, asked, limit) => {
          const known = Math.ceil(ledger.length / 2);
          const { reader, stored } = readerOf(ledger.slice(0, known));
          const revision = BigInt(known - 1);
          const alone = await paged(reader, asked, revision, limit);
          const later = [...ledger.slice(known)];
          const meanwhile = await paged(reader, asked, revision, limit, () => {
            const next = later.shift();
            if (next !== undefined) stored.push(next);
          });
          stored.push(...later);
          const after = await paged(reader, asked, revision, limit);
          expect(JSON.stringify(meanwhile)).toBe(JSON.stringify(alone));
          expect(JSON.stringify(after)).toBe(JSON.stringify(alone));
        },
      ),
      RUNS,
    );
  });

  it('P9 as-of a time names its revision, and that revision always gives the same answer', async () => {
    await fc.assert(
      fc.asyncProperty(randomLedger(2), moment, async (ledger, at) => {
        const { reader } = readerOf(ledger);
        const head = ledger.at(-1);
        if (head === undefined || at === null) return;
        const end = await reader.firstAt(WORKSPACE, at, head);
        const asOf = asOfView(await reader.sumsBefore(WORKSPACE, end), { at });
        expect(asOf).toEqual(foldedAsOf(ledger, { at }));
        if (asOf.revision === null) return;
        const named = { revision: BigInt(asOf.revision) };
        const then = foldedAsOf(ledger.slice(0, asOf.revision + 1), named);
        expect({ ...asOf, at: null }).toEqual({ ...then, at: null });
        expect(foldedAsOf(ledger, named)).toEqual(then);
      }),
      RUNS,
    );
  });
});

describe('the first entry at a time', () => {
  const hint = fc.record({ day: fc.constant('2026-01-01'), revision: fc.integer({ min: 0, max: 60 }) });

  it('is the same for any stored days: correct, late, or of another history', async () => {
    await fc.assert(
      fc.asyncProperty(randomLedger(), moment, fc.array(hint, { maxLength: 2 }), async (ledger, at, days) => {
        const head = ledger.at(-1);
        if (head === undefined || at === null) return;
        const reader = ledgerReader(storeOf(ledger).eventStore, recordsInMemory(), 4, {
          daysOf: async () => days,
        });
        const first = ledger.findIndex(({ metadata }) => (metadata['recordedAt'] ?? '') >= at);
        expect(await reader.firstAt(WORKSPACE, at, head)).toBe(BigInt(first === -1 ? ledger.length : first));
      }),
      RUNS,
    );
  });

  it('of a midnight is found with one read if its days are stored', async () => {
    const hours = 5_000;
    const at = (hour: number): string =>
      new Date(Date.parse('2026-01-01T00:00:00.000Z') + hour * 3_600_000).toISOString();
    const ledger = history(
      creditAccount,
      Array.from({ length: hours }, (_, index) => ({
        type: 'CreditsGranted' as const,
        data: { movementId: index + 1, credits: '1', reason: '' },
        at: at(index),
      })),
    );
    const { eventStore, reads } = storeOf(ledger);
    const lastOf = (day: string): number =>
      ledger.findLastIndex(({ metadata }) => metadata['recordedAt']?.startsWith(day));
    const reader = ledgerReader(eventStore, recordsInMemory(), 64, {
      async daysOf(_workspaceId, upTo) {
        const before = new Date(Date.parse(`${upTo}T00:00:00.000Z`) - 86_400_000).toISOString().slice(0, 10);
        return [upTo, before].map((day) => ({ day, revision: lastOf(day) }));
      },
    });
    const head = ledger[hours - 1];
    if (head === undefined) throw new Error('the ledger has a last entry');
    expect(await reader.firstAt(WORKSPACE, '2026-04-01T00:00:00.000Z', head)).toBe(90n * 24n);
    expect(reads.entries).toBe(2);
    reads.entries = 0;
    expect(await reader.firstAt(WORKSPACE, '2026-04-01T09:30:00.000Z', head)).toBe(90n * 24n + 10n);
    expect(reads.entries).toBeLessThan(10);
  });
});

describe('the marks of a ledger', () => {
  it('P8 equal the fold of everything before them, whichever of them exist', async () => {
    await fc.assert(
      fc.asyncProperty(
        randomLedger(),
        fc.array(fc.nat(), { maxLength: 5 }),
        fc.nat(),
        async (ledger, lost, place) => {
          const { reader, records } = readerOf(ledger);
          const revision = BigInt(place % (ledger.length + 1));
          const fold = toStoredSums(
            await readerOf(ledger.slice(0, Number(revision))).reader.sumsBefore(WORKSPACE, revision),
          );
          expect(toStoredSums(await reader.sumsBefore(WORKSPACE, revision))).toEqual(fold);
          await reader.sumsBefore(WORKSPACE, BigInt(ledger.length));
          for (const one of lost)
            records.all.delete([...records.all.keys()][one % Math.max(records.all.size, 1)] ?? '');
          expect(toStoredSums(await reader.sumsBefore(WORKSPACE, revision))).toEqual(fold);
        },
      ),
      RUNS,
    );
  });

  it('limit the reads of a question: the same for a ledger of 4,000 entries as for one of 400', async () => {
    const readsOn = async (length: number): Promise<number> => {
      const ledger = ledgerOfGrants(length);
      const store = storeOf(ledger);
      const reader = ledgerReader(store.eventStore, recordsInMemory(), 32);
      await reader.sumsBefore(WORKSPACE, BigInt(length));
      store.reads.entries = 0;
      const asked = { from: ledger[Math.floor(length / 2)]?.metadata['recordedAt'] ?? null, to: null };
      const bounds = await boundsOf(reader, asked, BigInt(length));
      const place = { start: bounds.first, limit: 25 };
      const { summary, rows } = await statementPage(reader, WORKSPACE, asked, bounds, place);
      expect([summary.opening * 1e6, summary.closing * 1e6, rows.length]).toEqual([
        length / 2 - 1,
        length,
        25,
      ]);
      return store.reads.entries;
    };
    const [short, long] = [await readsOn(400), await readsOn(4_000)];
    // The binary search takes four more steps; the fold is never longer than the distance of two marks.
    expect(long).toBeLessThan(short + 40);
    expect(long).toBeLessThan(200);
  });

  it('of another history are ignored and written again', async () => {
    const ledger = (reason: string) => ledgerOfGrants(30, { credits: reason === 'one' ? '1' : '2', reason });
    const records = recordsInMemory();
    await readerOf(ledger('one'), records).reader.sumsBefore(WORKSPACE, 31n);
    const { reader } = readerOf(ledger('two'), records);
    for (const _again of [1, 2]) expect((await reader.sumsBefore(WORKSPACE, 31n)).books.grants).toBe(60n);
    // An open reader also caches sums: they are checked like marks.
    const { reader: open, stored } = readerOf([...ledger('one')]);
    expect((await open.sumsBefore(WORKSPACE, 31n)).books.grants).toBe(30n);
    stored.splice(0, stored.length, ...ledger('two'));
    expect((await open.sumsBefore(WORKSPACE, 31n)).books.grants).toBe(60n);
    const shorter = readerOf(ledger('one').slice(0, 6), records);
    expect((await shorter.reader.sumsBefore(WORKSPACE, 31n)).books.grants).toBe(5n);
  });

  it('are read once for repeated questions, and no caller changes the result of another', async () => {
    const ledger = ledgerOfGrants(30);
    const { eventStore, reads } = storeOf(ledger);
    const reader = ledgerReader(eventStore, recordsInMemory(), 64, { memory: new Map() });
    const sums = await reader.sumsBefore(WORKSPACE, 20n);
    sums.books.grants = 0n;
    reads.entries = 0;
    const again = await reader.sumsBefore(WORKSPACE, 20n);
    expect([again.books.grants, reads.entries]).toEqual([19n, 1]);
  });

  it('are verified with the ledger: a mark with wrong sums is reported', async () => {
    const ledger = ledgerOfGrants(600);
    const records = recordsInMemory();
    const reader = ledgerReader(storeOf(ledger).eventStore, records);
    await reader.sumsBefore(WORKSPACE, 601n);
    const readModels = {
      rows: async () => new Map(),
      countRows: async () => 0,
      balance: async () => ({ granted: '600', held: '0', captured: '0', revision: 600 }),
      mark: (revision: bigint) => reader.markAt(WORKSPACE, revision),
    };
    expect(await verifyLedger([ledger], readModels)).toMatchObject({ ok: true, revision: 600 });
    const [[key, mark] = ['', '']] = [...records.all].filter(([place]) => place.endsWith('0512'));
    expect(mark).toContain('"grants":"511"');
    records.all.set(key, mark.replace('"grants":"511"', '"grants":"512"'));
    expect((await verifyLedger([ledger], readModels)).differences).toMatchObject([
      { revision: 511, what: 'mark' },
    ]);
  });
});
