import { LeaseLost, type KeptShare, type ShareStore } from '#kernel/ports/read-store.port.js';
import type { Connection } from './connection.js';
import { documentRows } from './document-rows.js';
import { requireFence } from './leases.js';
import { putDocuments } from './projection-writes.js';
import { tableOf } from './tables.js';

/** Shares are few and small: they are records. A write of a share is one transaction, so documents are never ahead of it. */
const KIND = 'projection-share';

export function sqliteShares({ statement, read, write }: Connection): ShareStore {
  return {
    createShare: (name, { position, event, counts }) =>
      write(() => {
        statement('INSERT OR REPLACE INTO _records (kind, key, value) VALUES (?, ?, ?)').run(
          KIND,
          name,
          JSON.stringify({ position, event, counts }),
        );
      }),
    writeShare: async (writes, { position, event, counts }, fence) => {
      const prepared = writes.map(({ generation, documents }) => ({
        generation,
        documents: documentRows(tableOf(generation), documents),
      }));
      const value = JSON.stringify({ position, event, counts });
      await write(() => {
        requireFence(statement, fence);
        const { changes } = statement('UPDATE _records SET value = ? WHERE kind = ? AND key = ?').run(
          value,
          KIND,
          fence.lease,
        );
        if (changes === 0) throw new LeaseLost(fence.lease);
        putDocuments(statement, prepared);
      });
    },
    shares: () =>
      read(() => {
        const rows = statement('SELECT key, value FROM _records WHERE kind = ? ORDER BY key').all(
          KIND,
        ) as readonly { readonly key: string; readonly value: string }[];
        return rows.map(({ key, value }) => ({
          name: key,
          ...(JSON.parse(value) as Omit<KeptShare, 'name'>),
        }));
      }),
    deleteShare: (name) =>
      write(() => {
        statement('DELETE FROM _records WHERE kind = ? AND key = ?').run(KIND, name);
      }),
  };
}
