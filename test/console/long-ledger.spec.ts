import { cells } from '#test/support/console-visitor.js';
import { operatorOf } from '#test/support/console-scene.js';
import { refusal } from '#test/support/expected-answers.js';
import { scene } from '#test/support/scene.js';
import { writeLedger } from '../bench/ledger-history.js';

const NOW = '2026-06-30T12:00:00.000Z';
const DAY_MS = 86_400_000;
const SHORT = { id: 51, movements: 150 };
const LONG = { id: 52, movements: 1_500 };
/** Both ledgers have three movements a day; the long one began earlier. */
const A_DAY = 3;

const beginOf = (movements: number): number => Date.parse(NOW) - (movements / A_DAY) * DAY_MS;

/** The rows of the statement in a page. */
const statementRows = (page: string) =>
  cells(page).filter((row) => row.length === 8 && /^[\d-]{10} /.test(row[1] ?? ''));
const linkTo = (page: string, words: string): string | undefined =>
  new RegExp(`href="([^"]+)">${words}<`).exec(page)?.[1]?.replaceAll('&amp;', '&');

describe('a long ledger in the console', () => {
  const service = scene({ at: NOW });

  beforeAll(async () => {
    let ids = 1_000;
    for (const { id, movements } of [SHORT, LONG]) {
      const begin = beginOf(movements);
      const recordedAt = (movement: number): string =>
        new Date(begin + Math.floor((movement / A_DAY) * DAY_MS)).toISOString();
      const metadata = {
        workspaceId: String(id),
        actorKind: 'operator',
        actorId: 'operator',
        commandId: `workspace:${id}`,
        correlationId: 'test',
        recordedAt: recordedAt(0),
        schemaVersion: '1',
      };
      const data = { name: `Workspace ${id}`, topAccountListId: 2 * id, employeeListId: 2 * id + 1 };
      const { eventStore } = service.service.host;
      await eventStore.append(`workspace-${id}`, 'no-stream', [
        { id: crypto.randomUUID(), type: 'WorkspaceProvisioned', data, metadata },
      ]);
      // Its holds are of version 1: no end carries its amount.
      await writeLedger(eventStore, id, movements, ids, recordedAt);
      ids += movements + 1;
    }
    await service.drain();
  });
  const visitor = operatorOf(service);

  it('CON-09 the parts of a statement are its rows, each once, with the sums of the whole', async () => {
    const period = { workspace_id: SHORT.id, from: '2026-05-20', to: '2026-06-21' };
    const { rows, ...whole } = await service.command('ledger.statement', period);
    expect(rows).toHaveLength(2 * A_DAY * 32);
    const found = [];
    for (let from = 0, parts = 1; parts <= 4; parts += 1) {
      const part = await service.command('ledger.statement', { ...period, rows: 50, rows_from: from });
      const { rows: some, next, entries, ...others } = part;
      expect([others, entries, some.length <= 50]).toEqual([whole, rows.length, true]);
      found.push(...some);
      expect([parts, next === null]).toEqual([parts, parts === 4]);
      from = next;
    }
    expect(found).toEqual(rows);
    const { rows: none, next } = await service.command('ledger.statement', { ...period, rows: 0 });
    expect([none, next]).toEqual([[], rows[0].revision]);
  });

  it('CON-09 a part of a statement as of a moment is a part of the statement at that moment', async () => {
    for (const at of ['2026-06-10', 150, '2026-05-01']) {
      const period = { workspace_id: SHORT.id, from: '2026-05-20', to: '2026-06-21', at, with: 'actor' };
      const whole = await service.command('ledger.statement', period);
      const part = await service.command('ledger.statement', { ...period, rows: 1_000 });
      expect(part).toEqual({ ...whole, next: null, entries: whole.rows.length });
    }
  });

  it('refuses contradictory parameters', async () => {
    for (const [field, input] of [
      ['rows', { rows: 10, group_by: 'month' }],
      ['rows', { rows: 1_001 }],
      ['rows_from', { rows_from: 3 }],
    ] as const)
      await refusal(422, service.ops('ledger.statement', { workspace_id: SHORT.id, ...input }), field);
  });

  it('CON-09 a page has 200 rows of a period; its links lead through all of them and back', async () => {
    const period = { from: '2026-05-15', to: '2026-06-30' };
    const { rows, closing } = await service.command('ledger.statement', {
      workspace_id: SHORT.id,
      ...period,
    });
    const first = `/console/workspaces/${SHORT.id}/ledger?${new URLSearchParams(period).toString()}`;
    const shown = [];
    let pages = 0;
    for (let at: string | undefined = first; at !== undefined && pages < 5; pages += 1) {
      const { text } = await visitor.get(at);
      shown.push(...statementRows(text));
      expect(text).toContain('a part of it');
      expect(/<dt>Closing<\/dt>\s*<dd><strong class="amount">([^<]+)/.exec(text)?.[1]).toBe(String(closing));
      if (pages > 0) expect(linkTo(text, 'From the first change on')?.split('#')[0]).toBe(first);
      at = linkTo(text, 'Later changes');
    }
    expect(pages).toBe(2);
    const answered = rows.map(({ movement_id, credits, spend, balance }: Record<string, number>) =>
      [movement_id, credits, spend, balance].map(String),
    );
    expect(shown.map((row) => [row[0], row[4], row[5], row[6]])).toEqual(answered);
  });

  it('CON-04 days begin with their opening balance, and end with the current one', async () => {
    const all = await service.command('ledger.days', { workspace_id: SHORT.id });
    expect(all).toMatchObject({ opening: null, revision: 2 * SHORT.movements + 1 });
    for (const from of ['2026-06-01', '2026-05-12', '2026-05-01', '2027-01-01']) {
      const some = await service.command('ledger.days', { workspace_id: SHORT.id, from });
      const before = await service.ops('ledger.as_of', { workspace_id: SHORT.id, at: from });
      const { status, body } = before;
      // A future time is refused there.
      const opening = status === 422 ? all.balance : body.revision === null ? null : body.balance.balance;
      expect(some).toEqual({
        ...all,
        opening,
        days: all.days.filter(({ day }: { readonly day: string }) => day >= from),
      });
    }
  });

  it('CON-04 the table beside the chart has the sums of each day once, also those of its first day', async () => {
    const begin = '2025-06-30';
    const kept = await service.command('ledger.days', { workspace_id: LONG.id, from: begin });
    const { text } = await visitor.get(`/console/workspaces/${LONG.id}/ledger`);
    const days = cells(text).filter((row) => row.length === 10 && row[2] === '');
    const [first] = kept.days;
    expect(days.slice(0, 2)).toEqual([
      [`Begin of ${begin}`, String(kept.opening), '', '', '', '', '', '', '', ''],
      [begin, String(first.balance), '', '0', '0', '0', String(first.held), '0', String(first.captured), ''],
    ]);
    expect(kept.days[0].captured).toBeGreaterThan(0);
    const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, each) => sum + each, 0);
    expect(sumOf(days.map((row) => Number(row[8])))).toBe(
      sumOf(kept.days.map(({ captured }: { readonly captured: number }) => captured)),
    );
  });

  it('CON-04 weeks and months are the sums of their days, with the balance after the last of them', async () => {
    type Row = Readonly<Record<string, number>> & { readonly day: string };
    const days: readonly Row[] = (await service.command('ledger.days', { workspace_id: SHORT.id })).days;
    const monday = (day: string): string => {
      const at = new Date(`${day}T00:00:00.000Z`);
      return new Date(at.getTime() - ((at.getUTCDay() + 6) % 7) * DAY_MS).toISOString();
    };
    for (const [by, spanOf] of [
      ['week', monday],
      ['month', (day: string) => day.slice(0, 7)],
    ] as const) {
      const rows: readonly Row[] = (await service.command('ledger.days', { workspace_id: SHORT.id, by }))
        .days;
      const spans = [...new Set(days.map(({ day }) => spanOf(day)))];
      const summed = spans.map((span) => {
        const own = days.filter(({ day }) => spanOf(day) === span);
        const sum = (name: string): number => own.reduce((total, row) => total + (row[name] ?? 0), 0);
        const { day, balance } = own.at(-1) ?? { day: '', balance: 0 };
        return { day, balance, granted: sum('granted'), held: sum('held'), captured: sum('captured') };
      });
      expect(rows).toEqual(summed.map((row) => expect.objectContaining(row)));
    }
  });

  it('CON-04 the chart of every range ends with the balance', async () => {
    const { balance } = await service.command('ledger.days', { workspace_id: LONG.id });
    for (const range of ['90d', '1y', '5y', 'all']) {
      const { text } = await visitor.get(`/console/workspaces/${LONG.id}/ledger?range=${range}`);
      const points = cells(text).filter((row) => row.length === 10 && row[1] !== '');
      expect([range, points.at(-1)?.[1]]).toEqual([range, String(balance)]);
    }
  });

  it('CON-09 a page reads equally much of a ledger with ten times as many entries', async () => {
    const entriesOf = async (id: number, page: string): Promise<number> => {
      // The first visit may write marks, which later ones use.
      await visitor.get(`/console/workspaces/${id}/${page}`);
      let entries = 0;
      const { eventStore } = service.service.host;
      const real = eventStore.readStream.bind(eventStore);
      jest.spyOn(eventStore, 'readStream').mockImplementation(async function* (...asked) {
        for await (const batch of real(...asked)) {
          if (asked[0] === `credits-${id}`) entries += batch.length;
          yield batch;
        }
      });
      const { status } = await visitor.get(`/console/workspaces/${id}/${page}`);
      jest.restoreAllMocks();
      expect([page, status]).toEqual([page, 200]);
      return entries;
    };
    for (const page of [
      'ledger?month=2026-06',
      'ledger?from=2024-01-01&to=2026-06-30',
      'ledger?month=2026-06&range=5y&at=2026-06-05',
      'months?month=2026-06',
      'forecast',
    ]) {
      const short = await entriesOf(SHORT.id, page);
      const long = await entriesOf(LONG.id, page);
      // A sum is at most 64 entries from a stored one; a page has at most seven of them.
      expect([page, long - short < 7 * 64, short > 0 || page === 'forecast']).toEqual([page, true, true]);
    }
  });
});
