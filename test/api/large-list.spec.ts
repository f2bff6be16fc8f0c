import { scene, sharedWorkspace } from '#test/support/scene.js';

const MEMBERS = 10_000;
const AT_ONCE = 100;

describe('a list of ten thousand members', () => {
  let list: string;
  let stream: string;
  const service = scene();
  const workspace = sharedWorkspace(service, {}, async (made) => {
    const { id, path } = await made.list('prospect');
    list = `/api/v2/${path}`;
    stream = `list-${made.id}_${id}`;
  });

  const handle = (index: number): string => `company-${String(index).padStart(5, '0')}`;
  const page = async (query: string) => (await workspace.call(`GET ${list}/members?${query}`)).body;
  /** The first index where two long lists differ, which is shorter than a diff; -1 for equal ones. */
  const firstDifference = (left: readonly unknown[], right: readonly unknown[]): number =>
    left.findIndex((one, place) => one !== right[place]);
  const handlesOfAllPages = async (
    handles: (query: string) => Promise<readonly string[]>,
  ): Promise<string[]> => {
    const pages: string[] = [];
    for (let number = 1; number <= MEMBERS / AT_ONCE; number += 1) {
      pages.push(...(await handles(`page=${number}&page_size=${AT_ONCE}&response_format=concise`)));
    }
    return pages;
  };
  const countOf = async (): Promise<number> => (await workspace.data(`GET ${list}`)).member_count;

  it('LST-08 MEM-28 is filled by a hundred requests, in events that stay small', async () => {
    for (let first = 0; first < MEMBERS; first += AT_ONCE) {
      const members = Array.from({ length: AT_ONCE }, (_, index) => ({
        network_handle: handle(first + index),
      }));
      const { status, body } = await workspace.call(`POST ${list}/members`, { members });
      expect([first, status, body.data.length]).toEqual([first, 200, AT_ONCE]);
    }
    expect(await countOf()).toBe(MEMBERS);
    const events = await service.stream(stream);
    for (const { type, data } of events)
      expect([type, JSON.stringify(data).length < 32 * 1024]).toEqual([type, true]);
    expect(events).toHaveLength(1 + MEMBERS / AT_ONCE);
  });

  it('MEM-23 MEM-29 recognises existing members among all of them', async () => {
    const again = [0, 4_999, 9_999].map((index) => ({ network_handle: handle(index) }));
    await service.expectSettledEvents([], async () => {
      expect((await workspace.call(`POST ${list}/members`, { members: again })).body).toEqual({
        data: [],
        errors: [],
      });
    });
  });

  it('MEM-40 INV-04 shows each member on one page, in order', async () => {
    const seen: string[] = [];
    for (let number = 1; number <= MEMBERS / AT_ONCE; number += 1) {
      const { data, meta } = await page(`page=${number}&page_size=${AT_ONCE}&response_format=concise`);
      expect(meta.pagination).toEqual({ page: number, page_size: AT_ONCE, page_count: 100, total: MEMBERS });
      seen.push(...data.map((member: { network_handle: string }) => member.network_handle));
    }
    expect(seen).toEqual(Array.from({ length: MEMBERS }, (_, index) => handle(index)));
    expect((await page('page=400&page_size=25')).data.at(-1).network_handle).toBe(handle(MEMBERS - 1));
    expect((await page('page=401&page_size=25')).data).toEqual([]);
  });

  it('MEM-48 MEM-50 finds one and many among all of them', async () => {
    const one = await page('q=ANY-07777');
    expect({
      handles: one.data.map(({ network_handle }: { network_handle: string }) => network_handle),
      total: one.meta.pagination.total,
    }).toEqual({
      handles: [handle(7_777)],
      total: 1,
    });
    const many = await page('q=company-00&page=40&page_size=25');
    expect(many.meta.pagination).toEqual({ page: 40, page_size: 25, page_count: 40, total: 1_000 });
    expect(many.data.at(-1).network_handle).toBe(handle(999));
  });

  it('MEM-60 loses removed members, and shows the others', async () => {
    const { data } = await page('page=100&page_size=100');
    const leaving = data.slice(0, 20).map(({ id }: { id: number }) => id);
    for (const id of leaving) {
      expect((await workspace.call(`DELETE ${list}/members/${id}`)).status).toBe(204);
    }
    expect(await countOf()).toBe(MEMBERS - leaving.length);
    const rest = (await page('page=100&page_size=100')).data;
    expect(rest).toEqual(data.slice(20));
  });

  it('MEM-40 MEM-60 numbers its pages by the remaining members, after any additions and removals', async () => {
    const handles = async (query: string): Promise<readonly string[]> =>
      (await page(query)).data.map((member: { network_handle: string }) => member.network_handle);
    const expected = await handlesOfAllPages(handles);
    for (const index of [0, 1, 63, 64, 2_500, 5_000, 5_001]) {
      const [member] = (await page(`q=${handle(index)}`)).data;
      expect((await workspace.call(`DELETE ${list}/members/${member.id}`)).status).toBe(204);
      expected.splice(expected.indexOf(handle(index)), 1);
    }
    const back = [{ network_handle: handle(2_500) }];
    expect((await workspace.call(`POST ${list}/members`, { members: back })).status).toBe(200);
    expected.push(handle(2_500));
    const shown = await handlesOfAllPages(handles);
    expect([shown.length, firstDifference(shown, expected)]).toEqual([expected.length, -1]);
    for (const [number, size] of [
      [7, 13],
      [128, 64],
      [399, 25],
      [9_974, 1],
    ] as const) {
      const first = (number - 1) * size;
      const page = await handles(`page=${number}&page_size=${size}`);
      expect([number, page]).toEqual([number, expected.slice(first, first + size)]);
    }
  });

  it('MEM-66 has each addition and removal on one page of the log, newest first', async () => {
    type Entry = { readonly id: number; readonly occurred_at: string };
    const total = MEMBERS + 1 + 27;
    const seen: Entry[] = [];
    for (let number = 1; number <= Math.ceil(total / AT_ONCE) + 1; number += 1) {
      const path = `GET ${list}/membership-logs?page=${number}&page_size=${AT_ONCE}`;
      const { data, meta } = (await workspace.call(path)).body;
      expect([number, meta.pagination.total]).toEqual([number, total]);
      seen.push(...data);
    }
    const newestFirst = seen.toSorted((left, right) =>
      left.occurred_at === right.occurred_at
        ? right.id - left.id
        : left.occurred_at < right.occurred_at
          ? 1
          : -1,
    );
    expect(firstDifference(seen, newestFirst)).toBe(-1);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(total);
  });
});
