import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { readStatement } from '#ledger/history/statement.js';
import { canonicalJson } from '#kernel/values/json.js';
import { verifyExport } from '#ledger/export/verify-export.js';
import { houseRoot } from '#test/house/house.js';
import { randomLedger } from './random-ledger.js';
import { exported, NASTY, sampleLedger } from './sample-ledger.js';

const RUNS = { numRuns: Number(process.env['SIMULATION_RUNS'] ?? 100) };
const golden = readFileSync(join(houseRoot, 'test/finance/golden/ledger-export.jsonl'), 'utf8');
const february = { from: '2026-02-01T00:00:00.000Z', to: null };

async function verify(text: string | Uint8Array, printed: { revision: number; hash: string } | null = null) {
  async function* chunks() {
    const bytes = Buffer.from(text);
    // As a file is read: in pieces that end anywhere.
    for (let start = 0; start < bytes.length; start += 1_000) yield bytes.subarray(start, start + 1_000);
  }
  return verifyExport(chunks(), printed, () => undefined);
}

/** Cells of a CSV text, by the rules of RFC 4180 alone. */
function parseCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]];
  const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  for (let match = cells.exec(text); match !== null; match = cells.exec(text)) {
    const [, quoted, plain = '', end] = match;
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\r\n') rows.push([]);
  }
  expect(rows.pop()).toEqual([]);
  return rows;
}

describe('the export as CSV', () => {
  it('has the rows of the statement with in, out and running balance, a closing and the totals', async () => {
    const [head = [], ...rows] = parseCsv(await exported('csv', sampleLedger, february));
    const table = rows.map((row) => Object.fromEntries(head.map((name, index) => [name, row[index]])));
    const statement = await readStatement(1, [sampleLedger], february);
    expect(rows.every((row) => row.length === head.length)).toBe(true);
    expect(table[0]).toMatchObject({ row: 'opening', at: february.from, balance: '77.654321' });
    expect(table.filter(({ movement_id }) => movement_id !== '')).toHaveLength(statement.rows.length);
    let balance = 77_654_321;
    for (const [index, row] of statement.rows.entries()) {
      const line = table[index + 1];
      balance += Math.round((Number(line?.['credits_in']) - Number(line?.['credits_out'])) * 1e6);
      expect(line).toMatchObject({ row: row.kind, revision: String(row.revision), at: row.at });
      expect(Math.round(Number(line?.['balance']) * 1e6)).toBe(balance);
    }
    expect(
      table
        .slice(statement.rows.length + 1)
        .map((line) => [line['row'], line['product'], line['spend'], line['balance']]),
    ).toEqual([
      ['closing', '', '', '37.499999'],
      ['total by product', `'${NASTY}`, '0.000001', ''],
      ['total by product', 'keyword_match', '8', ''],
      ['total by cause', '', '0.000001', ''],
      ['total by cause', '', '8', ''],
      ['total by payer', '', '8', ''],
      ['total by payer', '', '0.000001', ''],
    ]);
    expect(table.find(({ row }) => row === 'closing')?.['hash']).toBe(statement.hash);
  });

  it('has no text that a spreadsheet reads as a formula, and keeps every other character', async () => {
    await fc.assert(
      fc.asyncProperty(
        randomLedger(),
        fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '＝', ''),
        async (ledger, first) => {
          const nasty = ledger.map((entry) =>
            entry.type === 'CreditsHeld'
              ? { ...entry, data: { ...entry.data, key: `${first}${NASTY}` } }
              : entry,
          );
          const rows = parseCsv(await exported('csv', nasty));
          for (const cell of rows.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
          const keys = rows.filter(([row]) => row === 'hold').map((row) => row[10]);
          for (const key of keys) expect(key).toBe(first === '' ? `'${NASTY}` : `'${first}${NASTY}`);
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe('the export as JSON Lines', () => {
  it('equals the golden file, byte for byte', async () => {
    expect(await exported('jsonl')).toBe(golden);
  });

  it('is verified without any store, also for a period and against a head that was printed before', async () => {
    const statement = await readStatement(1, [sampleLedger], { from: null, to: null });
    const proven = { ok: true, revision: 14, movements: 5, hash: statement.hash, differences: [] };
    expect(await verify(golden)).toEqual(proven);
    expect(await verify(await exported('jsonl', sampleLedger, february))).toEqual({
      ...proven,
      movements: 2,
    });
    const hash = String(sampleLedger[6]?.metadata['hash']);
    expect((await verify(golden, { revision: 6, hash })).ok).toBe(true);
    expect((await verify(golden, { revision: 6, hash: '0'.repeat(64) })).differences).toMatchObject([
      { revision: 6, what: 'hash printed earlier' },
    ]);
    expect((await verify(golden, { revision: 15, hash })).differences).toMatchObject([
      { expected: '15', found: '14' },
    ]);
  });

  it('is verified against the head of the export before it, and not against an entry before that', async () => {
    const text = await exported('jsonl', sampleLedger, february);
    const { before } = JSON.parse(text.split('\n')[0] ?? '');
    const revision = Number(before.revision);
    expect(revision).toBeGreaterThan(0);
    expect((await verify(text, { revision, hash: before.hash })).differences).toEqual([]);
    expect((await verify(text, { revision, hash: '0'.repeat(64) })).differences).toEqual([
      { revision, what: 'hash printed earlier', expected: '0'.repeat(64), found: before.hash },
    ]);
    expect((await verify(text, { revision: revision - 1, hash: before.hash })).differences).toMatchObject([
      { what: 'revision printed earlier', expected: String(revision - 1) },
    ]);
  });

  it('P8 of any ledger and any period is verified', async () => {
    await fc.assert(
      fc.asyncProperty(randomLedger(), fc.nat(), fc.nat(), async (ledger, one, two) => {
        const [first = 0, last = 0] = [one % ledger.length, two % ledger.length].toSorted(
          (left, right) => left - right,
        );
        const range = {
          from: ledger[first]?.metadata['recordedAt'] ?? null,
          to: ledger[last]?.metadata['recordedAt'] ?? null,
        };
        expect((await verify(await exported('jsonl', ledger, range))).differences).toEqual([]);
      }),
      RUNS,
    );
  });

  // The change, and the first difference that must be reported.
  const lineOf = (revision: number) =>
    golden.split('\n').findIndex((line) => line.includes(`"revision":${revision},"type"`));
  const changes: readonly (readonly [
    what: string,
    revision: number,
    from: string,
    to: string,
    named: number | null,
  ])[] = [
    ['the amount of a grant', 1, '"credits":"100000000"', '"credits":"900000000"', 1],
    ['the actor', 2, '"actorId":"test"', '"actorId":"tesd"', 2],
    ['the time', 3, '2026-01-05T10:00:00.000Z', '2026-01-05T10:00:00.001Z', 3],
    ['the key', 4, 'launch:9:post:2', 'launch:9:post:3', 4],
    ['the type', 4, 'CreditsCaptured', 'CreditsReleased', 4],
    ['the seal', 5, '"hash":"', '"hash":"f', 5],
    ['the balance', 6, '"balance":89.999999', '"balance":89.999998', 6],
    ['the place', 7, '"revision":7', '"revision":8', 8],
    ['the reason', 8, 'date:2020', 'date:2021', 8],
    ['the name of a member', 9, '"data"', '"dada"', 9],
    ['the line itself', 10, '{', '[', 10],
    ['the workspace', 11, '"workspaceId":"1"', '"workspaceId":"2"', 11],
  ];
  for (const [what, revision, from, to, named] of changes) {
    it(`names revision ${named} if ${what} of entry ${revision} was changed`, async () => {
      const lines = golden.split('\n');
      const changed = lines
        .map((line, index) => (index === lineOf(revision) ? line.replace(from, to) : line))
        .join('\n');
      expect(changed).not.toBe(golden);
      const { ok, differences } = await verify(changed);
      expect(ok).toBe(false);
      expect(differences[0]?.revision).toBe(named);
    });
  }

  it('names the revision after which an entry is missing, duplicated or moved', async () => {
    const lines = golden.split('\n');
    const at = lineOf(5);
    const edits = {
      missing: lines.toSpliced(at, 1),
      twice: lines.toSpliced(at, 0, lines[at] ?? ''),
      moved: lines.toSpliced(at, 2, lines[at + 1] ?? '', lines[at] ?? ''),
    };
    for (const [edit, edited] of Object.entries(edits)) {
      const { differences } = await verify(edited.join('\n'));
      expect([edit, differences[0]]).toEqual([
        edit,
        expect.objectContaining({ revision: edit === 'twice' ? 5 : 6, what: 'revision' }),
      ]);
    }
  });

  it('detects every single changed byte, at any place', async () => {
    const bytes = Buffer.from(golden);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (place, flip) => {
        const changed = Buffer.from(bytes);
        changed[place] = (changed[place] ?? 0) ^ flip;
        expect((await verify(changed)).ok).toBe(false);
      }),
      { numRuns: 400 },
    );
  });

  it('detects a header or an opening that does not belong to its entries, and a truncated file', async () => {
    const period = await exported('jsonl', sampleLedger, february);
    const [head = '', ...rest] = period.split('\n');
    const forged = (change: (header: Record<string, unknown>) => object) =>
      verify([canonicalJson(change(JSON.parse(head))), ...rest].join('\n'));
    expect((await forged((header) => ({ ...header, opening: 80 }))).differences[0]).toMatchObject({
      what: 'opening',
    });
    const before = (header: Record<string, unknown>, part: object) => ({
      ...header,
      before: { ...Object(header['before']), ...part },
    });
    expect((await forged((header) => before(header, { hash: '0'.repeat(64) }))).differences[0]).toMatchObject(
      { revision: 6, what: 'hash' },
    );
    expect((await forged((header) => before(header, { revision: null }))).ok).toBe(false);
    expect((await forged((header) => before(header, { grants: '1' }))).differences[0]).toMatchObject({
      what: 'opening',
    });
    const withoutHold = period.split('\n').filter((line) => !line.includes('"open hold"'));
    expect((await verify(withoutHold.join('\n'))).differences[0]).toMatchObject({
      what: 'held by workspace at the opening',
    });
    const lines = golden.split('\n');
    for (const kept of [0, 1, 5, lines.length - 2]) {
      expect((await verify(lines.slice(0, kept).join('\n'))).ok).toBe(false);
    }
    expect((await verify(`${golden}\n`)).differences[0]).toMatchObject({ expected: 'the end of the file' });
    expect((await verify('not an export\n')).differences[0]).toMatchObject({
      expected: 'the header of a ledger export',
    });
  });
});
