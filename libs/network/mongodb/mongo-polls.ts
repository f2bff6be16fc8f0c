import type { JsonObject } from '#kernel/values/json.js';
import { inPieces } from '#kernel/values/pieces.js';
import type { MongoDatabase } from '#mongodb/open-mongo-database.js';
import { isDuplicateKey } from '#mongodb/store-errors.js';
import type { PollStore } from '../poll-store.port.js';
import { observationsById, observationsIn, pacesIn, pollsIn, readingsIn } from './network-collections.js';
import { idsOfKind, observationId } from './observation-document.js';

/** Postings in one query. */
const AT_ONCE = 1_000;

/** The memories of polls in a MongoDB. */
export function mongoPolls({ read, write }: MongoDatabase): PollStore {
  return {
    memories: (keys) =>
      read(async (db) => {
        const found = await pollsIn(db)
          .find({ _id: { $in: [...keys] } })
          .toArray();
        return new Map(
          found.flatMap(({ _id, memory }) =>
            memory === undefined ? [] : [[_id, JSON.parse(memory) as JsonObject] as const],
          ),
        );
      }),

    claim: (key, holder, nowMs, untilMs) =>
      write(async (db) => {
        try {
          const before = await pollsIn(db).findOneAndUpdate(
            { _id: key, $or: [{ until: { $exists: false } }, { until: { $lte: nowMs } }] },
            { $set: { holder, until: untilMs } },
            { upsert: true, returnDocument: 'before' },
          );
          return { memory: before?.memory === undefined ? null : (JSON.parse(before.memory) as JsonObject) };
        } catch (error) {
          // The document exists with another holder, so the insert was a duplicate.
          if (isDuplicateKey(error)) return null;
          throw error;
        }
      }),

    extend: (key, holder, untilMs) =>
      write(async (db) => {
        await pollsIn(db).updateOne({ _id: key, holder }, { $set: { until: untilMs } });
      }),

    keep: (key, holder, memory) =>
      write(async (db) => {
        const update = { $set: { memory: JSON.stringify(memory) } };
        return (await pollsIn(db).updateOne({ _id: key, holder }, update)).matchedCount > 0;
      }),

    settle: (key, holder, memory) =>
      write(async (db) => {
        await pollsIn(db).updateOne(
          { _id: key, holder },
          { $set: { memory: JSON.stringify(memory) }, $unset: { holder: '', until: '' } },
        );
      }),

    requestTimeOf: (host, nowMs, paceMs, latestMs) =>
      write(async (db) => {
        for (;;) {
          const known = await pacesIn(db).findOne({ _id: host });
          const turnMs = Math.max(nowMs, known?.nextAt ?? nowMs);
          if (turnMs > latestMs) return turnMs;
          try {
            const guard =
              known === null ? { _id: host, nextAt: { $lt: 0 } } : { _id: host, nextAt: known.nextAt };
            const taken = await pacesIn(db).updateOne(
              guard,
              { $set: { nextAt: turnMs + paceMs } },
              { upsert: known === null },
            );
            if (taken.modifiedCount + taken.upsertedCount > 0 || paceMs === 0) return turnMs;
          } catch (error) {
            // Another process was faster.
            if (!isDuplicateKey(error)) throw error;
          }
        }
      }),

    holdBack: (host, untilMs) =>
      write(async (db) => {
        await pacesIn(db).updateOne({ _id: host }, { $max: { nextAt: untilMs } }, { upsert: true });
      }),

    markRead: async (refs, readAtMs) => {
      if (refs.length === 0) return;
      await write(async (db) => {
        const marks = refs.map((ref) => ({
          updateOne: { filter: { _id: ref }, update: { $max: { readAt: readAtMs } }, upsert: true },
        }));
        await readingsIn(db).bulkWrite(marks, { ordered: false });
      });
    },

    known: (kind, refs) =>
      read(async (db) => {
        const ids = refs.map((ref) => observationId(kind, ref));
        const found = await observationsById(db, ids, { ref: 1 });
        return new Set(found.map(({ ref }) => ref));
      }),

    openPostings: async (refPrefix) => {
      const refs: string[] = [];
      for (let after: string | null = refPrefix; after !== null;) {
        const behind: string = after;
        const some = await read((db) =>
          observationsIn(db)
            .find(
              { _id: idsOfKind('job_posting', behind), closedAt: { $exists: false } },
              { projection: { ref: 1 } },
            )
            .sort({ _id: 1 })
            .limit(AT_ONCE)
            .toArray(),
        );
        const own = some.map(({ ref }) => ref).filter((ref) => ref.startsWith(refPrefix));
        refs.push(...own);
        after = own.length < AT_ONCE ? null : (own.at(-1) ?? null);
      }
      return refs;
    },

    closePostings: async ({ refs, rev, reading: { sourceId, readAtMs } }) => {
      let closed = 0;
      for (const some of inPieces(refs, AT_ONCE)) {
        const ids = some.map((ref) => observationId('job_posting', ref));
        const filter = { _id: { $in: ids }, closedAt: { $exists: false }, rev: { $lt: rev } };
        const source = { sourceId, readAtMs };
        const { modifiedCount } = await write((db) =>
          observationsIn(db).updateMany(filter, { $set: { closedAt: readAtMs, rev, source } }),
        );
        closed += modifiedCount;
      }
      return closed;
    },
  };
}
