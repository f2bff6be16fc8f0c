import type { Query } from '../ports/read-store.port.js';
import { eachPage, pagesOf } from './each-page.js';

const rowsBehind = (rows: readonly number[], size: number) => (after: number | null) =>
  Promise.resolve(rows.filter((row) => row > (after ?? 0)).slice(0, size));

async function collected(rows: readonly number[], size: number) {
  const asked: (number | null)[] = [];
  const pages: (readonly number[])[] = [];
  const read = (after: number | null) => {
    asked.push(after);
    return rowsBehind(rows, size)(after);
  };
  for await (const page of pagesOf(size, read, (row) => row)) pages.push(page);
  return { asked, pages };
}

describe('reading page by page', () => {
  it('continues after the last row of a full page, and ends with a page that is not full', async () => {
    expect(await collected([1, 2, 3, 4, 5], 2)).toEqual({
      asked: [null, 2, 4],
      pages: [[1, 2], [3, 4], [5]],
    });
  });

  it('gives no empty page', async () => {
    expect(await collected([1, 2], 2)).toEqual({ asked: [null, 2], pages: [[1, 2]] });
    expect(await collected([], 2)).toEqual({ asked: [null], pages: [] });
  });

  it('lets other work of the event loop run between two pages', async () => {
    const pages = pagesOf(2, rowsBehind([1, 2, 3], 2), (row) => row);
    await pages.next();
    let isDone = false;
    setImmediate(() => (isDone = true));
    await pages.next();
    expect(isDone).toBe(true);
  });

  it('reads no further page once it is aborted', async () => {
    const abort = new AbortController();
    const pages = pagesOf(2, rowsBehind([1, 2, 3], 2), (row) => row, abort.signal);
    await pages.next();
    abort.abort(new Error('stopped'));
    await expect(pages.next()).rejects.toThrow('stopped');
  });

  const view = { name: 'rows', version: 1, indexes: { byId: ['workspaceId', 'id'] } };
  const documents = [1, 2, 3].map((id) => ({ workspaceId: 7, id }));

  it('asks a read model for what is behind the sort fields of the last document', async () => {
    const asked: Query[] = [];
    const readModels = {
      find: async <Document>(_view: unknown, query: Query) => {
        asked.push(query);
        return documents.slice((asked.length - 1) * 2, asked.length * 2) as unknown as readonly Document[];
      },
    };
    const sort = [
      ['workspaceId', 'asc'],
      ['id', 'asc'],
    ] as const;
    const pages: (readonly object[])[] = [];
    for await (const page of eachPage(readModels, view, { sort, limit: 2 })) pages.push(page);
    expect(pages).toEqual([documents.slice(0, 2), documents.slice(2)]);
    expect(asked).toEqual([
      { sort, limit: 2 },
      { sort, limit: 2, after: [7, 2] },
    ]);
  });

  it('does not go on behind a document without a sort field', async () => {
    const readModels = { find: async () => [{ id: null }] as never };
    const pages = eachPage(readModels, view, { sort: [['id', 'asc']], limit: 1 });
    await pages.next();
    await expect(pages.next()).rejects.toThrow('without id');
  });
});
