// Another process on the same read store file, for the specs: `count <path> <holder> <times>` adds to a record under
// a lease, `scatter <path>` changes many pages in each statement, `project <path>` writes batches until killed.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openSqliteReadStore } from '#read-store/sqlite/open-sqlite-read-store.js';
import { at, checkpointAt, fenceOf, runs } from './read-store-fixture.js';

const [, , mode, path = '', holder = '', times = '0'] = process.argv;
const store = await openSqliteReadStore({ path });

if (mode === 'count') {
  for (let done = 0; done < Number(times);) {
    const lease = await store.acquireLease('counter', holder, 60_000);
    if (lease !== null) {
      // Not atomic: correct only if the lease really keeps other processes out.
      const count = (await store.getRecord<number>('counter', 'count')) ?? 0;
      await nextTurn();
      await store.putRecord('counter', 'count', count + 1);
      await store.releaseLease(lease.name, { lease: lease.name, epoch: lease.epoch });
      done += 1;
    }
    await nextTurn();
  }
  await store.close();
} else if (mode === 'scatter') {
  const generation = { view: runs, generation: 1 };
  await store.createGeneration(generation);
  const fence = await fenceOf(store);
  for (let position = 1; position <= 3; position += 1) {
    // Keys and states far apart: each row of a statement changes other pages than the row before.
    const documents = Array.from({ length: 1_000 }, (_, id) => {
      const text = String(((id * 3 + position) * 7_919) % 100_003)
        .padStart(6, '0')
        .repeat(60);
      return {
        key: text,
        position: at(position),
        document: { id, workspaceId: 7, state: text, startedAt: text },
      };
    });
    await store.write([{ generation, documents, checkpoint: checkpointAt(position) }], fence);
  }
  await store.close();
} else {
  const generation = { view: runs, generation: 1 };
  const fence = await fenceOf(store, holder);
  for (let position = 1; ; position += 1) {
    const documents = Array.from({ length: 20 }, (_, id) => ({
      key: `run-${id}`,
      position: at(position),
      document: { id, workspaceId: 7, state: at(position), startedAt: '2025' },
    }));
    await store.write([{ generation, documents, checkpoint: checkpointAt(position) }], fence);
    process.stdout.write(`${position}\n`);
  }
}
