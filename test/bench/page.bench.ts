import { join } from 'node:path';
import type { Generation, ViewOf } from '#kernel/ports/read-store.port.js';
import { openSqliteReadStore } from '#read-store/sqlite/open-sqlite-read-store.js';
import { medianMs, type Bench } from './bench.js';
import { temporaryFolder } from './temporary-folder.js';

const DOCUMENTS = 1_000_010;
const DEPTH = 1_000_000;
const PAGE = 25;
const BATCH = 10_000;
const CALLS = 500;

const view: ViewOf<Row> = { name: 'measured', version: 1, indexes: { newest: ['workspaceId', 'at', 'id'] } };
type Row = { readonly id: number; readonly workspaceId: number; readonly at: string };

const rowOf = (id: number): Row => ({
  id,
  workspaceId: 1,
  at: new Date(1_700_000_000_000 + id * 1_000).toISOString(),
});
const positionOf = (id: number): string => String(id).padStart(20, '0');

export const pageBench: Bench = {
  name: 'page',
  async run() {
    const folder = temporaryFolder();
    const store = await openSqliteReadStore({ path: join(folder, 'views.db') });
    const generation: Generation = { view, generation: 1 };
    await store.createGeneration(generation);
    const lease = await store.acquireLease('bench', 'bench', 600_000);
    const fence = { lease: 'bench', epoch: lease?.epoch ?? 0 };
    for (let first = 1; first <= DOCUMENTS; first += BATCH) {
      const ids = Array.from({ length: Math.min(BATCH, DOCUMENTS - first + 1) }, (_, index) => first + index);
      const documents = ids.map((id) => ({ key: String(id), position: positionOf(id), document: rowOf(id) }));
      const position = positionOf(first + ids.length - 1);
      const checkpoint = { position, applied: first + ids.length - 1, ignored: 0, parked: 0 };
      await store.write([{ generation, documents, checkpoint }], fence);
    }
    await store.indexGeneration(generation);
    await store.makeLive(generation, fence);

    let rows = 0;
    const page = async (afterId: number | null): Promise<void> => {
      const after = afterId === null ? {} : { after: [rowOf(afterId).at, afterId] };
      const found = await store.find(view, {
        where: { workspaceId: 1 },
        sort: [
          ['at', 'desc'],
          ['id', 'desc'],
        ],
        limit: PAGE,
        ...after,
      });
      const first = (afterId ?? DOCUMENTS + 1) - 1;
      if (found[0]?.id === first) rows += 1;
    };
    const shallow = await medianMs(CALLS, () => page(null));
    const deep = await medianMs(CALLS, () => page(DOCUMENTS - DEPTH + 1 + PAGE));
    const shallowAgain = await medianMs(CALLS, () => page(null));
    await store.close();
    return [
      {
        what: `keyset page of ${PAGE} at depth ${DEPTH.toLocaleString('en')}`,
        measured: deep * 1_000,
        unit: 'µs',
        beside: 'the same page at depth 0',
        besideValue: ((shallow + shallowAgain) / 2) * 1_000,
        goal: { atMost: 1.3 },
        proof: `${rows} of ${3 * (CALLS + CALLS / 10)} pages begin with the right row`,
      },
    ];
  },
};
