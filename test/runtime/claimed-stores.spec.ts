import { join } from 'node:path';
import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import { logIdentity } from '#kernel/commands/log-identity.js';
import { systemClock } from '#kernel/ports/clock.js';
import { openSqliteReadStore } from '#read-store/sqlite/open-sqlite-read-store.js';
import { claimReadStore } from '#runtime/read-store-claim.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { freeLease } from '#test/support/free-lease.js';

const LEASE = 'log:identity';

describe('the claim of a new read store for a new log', () => {
  const folder = temporaryFolder('claimed-stores');

  it('is repeated by a process that was stopped while it made one', async () => {
    const events = await openSqliteEventStore({ path: join(folder, 'events.db') });
    const reads = await openSqliteReadStore({ path: join(folder, 'views.db') });
    const now = performance.now.bind(performance);
    let stoppedMs = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + stoppedMs);
    try {
      const stopped: typeof events = {
        ...events,
        append: async (...of) => {
          const appended = await events.append(...of);
          stoppedMs = 60_000;
          await freeLease(reads, LEASE);
          return appended;
        },
      };
      const logId = await claimReadStore(stopped, reads, [], systemClock);
      expect(logId).toBe(await logIdentity(events));
      expect(await claimReadStore(events, reads, [], systemClock)).toBe(logId);
      expect(await reads.lease(LEASE)).toBeNull();
    } finally {
      clock.mockRestore();
      await reads.close();
      await events.close();
    }
  });
});
