import { join } from 'node:path';
import { PARTITIONS } from '#kernel/events/workspace-partition.js';
import { partitions, unstaffedPartitions } from '#process-engine/partitions.js';
import { openSqliteReadStore } from '#read-store/sqlite/open-sqlite-read-store.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const HOUR_MS = 3_600_000;

describe('a read store whose clock differs much from that of this machine', () => {
  const folder = temporaryFolder('store-clock');
  for (const [what, offMs] of [
    ['an hour behind', -HOUR_MS],
    ['an hour ahead', HOUR_MS],
  ] as const) {
    it(`${what}: two workers share evenly, and an expired lease is known once the store says so`, async () => {
      let storeMs = Date.now() + offMs;
      const reads = await openSqliteReadStore({
        path: join(folder, `views-${offMs}.db`),
        nowMs: () => storeMs,
      });
      const first = partitions(reads, 'elsewhere:1:first');
      const second = partitions(reads, 'elsewhere:2:second');
      const looks = async (): Promise<void> => {
        for (const worker of [first, second]) {
          await worker.lookAfter();
          await worker.settle(() => true);
        }
      };
      expect(await unstaffedPartitions(reads)).toBe(PARTITIONS);
      for (let turn = 0; turn < 3; turn += 1) await looks();
      expect([first, second].map(({ held }) => held().size)).toEqual([PARTITIONS / 2, PARTITIONS / 2]);
      expect(await unstaffedPartitions(reads)).toBe(0);
      storeMs += HOUR_MS;
      expect(await unstaffedPartitions(reads)).toBe(PARTITIONS);
      await first.release();
      await second.release();
      await reads.close();
    });
  }
});
