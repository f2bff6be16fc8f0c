import { scene, sharedWorkspace } from '#test/support/scene.js';

type Row = { readonly id: number; readonly created_at: string; readonly status: string };

describe('paging GET /api/v3/usage while movements are written', () => {
  const service = scene({ at: '2026-01-05T10:00:00.000Z' });
  const workspace = sharedWorkspace(service, { credits: 100_000 });
  let holds = 0;

  const hold = async (): Promise<number> => {
    const key = `hold:${(holds += 1)}`;
    const { movement_id } = await workspace.command('credits.hold', { key, credits: 1, product: 'testing' });
    return movement_id;
  };
  const end = (how: 'capture' | 'release', movement_id: number) =>
    workspace.command(`credits.${how}`, { movement_id });
  type Page = {
    readonly data: readonly Row[];
    readonly meta: { readonly cursor: { readonly next: string | null; readonly has_more: boolean } };
  };
  const page = async (cursor: string | null, limit: number): Promise<Page> =>
    (await workspace.call(`GET /api/v3/usage?limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`))
      .body;

  /** Reads page by page; `meanwhile` writes while each page is requested. */
  async function readAll(limit: number, meanwhile: () => Promise<unknown>): Promise<readonly Row[]> {
    const rows: Row[] = [];
    for (let cursor: string | null = null, more = true; more;) {
      const [{ data, meta }]: [Page, unknown] = await Promise.all([page(cursor, limit), meanwhile()]);
      rows.push(...data);
      // Checked for each page, because a cursor that does not move would never end.
      expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
      cursor = meta.cursor.next;
      more = meta.cursor.has_more;
      expect(more).toBe(cursor !== null);
    }
    return rows;
  }

  it('P11 USE-15 shows the movements that existed at the first page once, nothing twice, in strict order', async () => {
    const early: number[] = [];
    for (const now of ['10:00:00.000Z', '10:00:00.000Z', '10:00:00.001Z', '11:00:00.000Z']) {
      await service.ops('clock.set', { now: `2026-01-05T${now}` });
      // More at one moment than fit on a page.
      early.push(...(await Promise.all(Array.from({ length: 17 }, hold))));
    }
    const open = [...early];
    const meanwhile = async () => {
      const [captured, released] = [open.shift(), open.pop()];
      await Promise.all([
        hold(),
        ...(captured === undefined ? [] : [end('capture', captured)]),
        ...(released === undefined ? [] : [end('release', released)]),
      ]);
    };
    for (const limit of [1, 5, 25]) {
      const rows = await readAll(limit, meanwhile);
      const ids = rows.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(early.filter((id) => !ids.includes(id))).toEqual([]);
      const inOrder = rows.toSorted(
        (left, right) => right.created_at.localeCompare(left.created_at) || right.id - left.id,
      );
      expect(rows).toEqual(inOrder);
      early.push(...ids.filter((id) => !early.includes(id)));
    }
    expect(holds).toBeGreaterThan(150);
  });
});
