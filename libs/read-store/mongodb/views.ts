import { requireSameIndexes, versionName } from '#kernel/projections/generation-tables.js';
import type { Document } from 'mongodb';
import {
  ReadModelUnavailable,
  type ReadModels,
  type Scalar,
  type ViewShape,
} from '#kernel/ports/read-store.port.js';
import { atLeastZero, groupedFields, refuseInstants } from '#kernel/projections/view-indexes.js';
import type { MongoDatabase } from '#mongodb/open-mongo-database.js';
import { pointerEntries, tableOf, type GenerationCollection } from './catalogue.js';
import { groupStages, groupsOf, type CountedRow } from './groups.js';
import { aliveFilter, findPlan, indexed } from './query-filters.js';
import { rowsWithEntryReader, type RowsQuery } from './rows-with-entry.js';

type Pointer = { readonly live: number | null; readonly indexes: string | null };

/**
 * Queries on the live generation of a view. The generation is cached from the last query, and the pointer is read
 * after the documents in the same call: an answer counts if the pointer still names its generation. A generation is
 * dropped only after the pointer was moved, so that answer is complete; any other is repeated on the generation that
 * the pointer names.
 */
export function mongoViews({ read }: MongoDatabase): ReadModels {
  const remembered = new Map<string, number>();
  const rowsWithEntry = rowsWithEntryReader();

  const generationAt = (view: ViewShape, pointer: Pointer | null): number => {
    if (pointer === null || pointer.live === null) {
      throw new ReadModelUnavailable(`the read model ${view.name} version ${view.version} is not built yet`);
    }
    requireSameIndexes(tableOf({ view, generation: pointer.live }), pointer.indexes);
    remembered.set(versionName(view), pointer.live);
    return pointer.live;
  };
  const ask = <Row extends Document>(
    view: ViewShape,
    query: (table: GenerationCollection) => RowsQuery,
  ): Promise<readonly Row[]> =>
    read(async (db) => {
      const id = versionName(view);
      let supposed = remembered.get(id) ?? generationAt(view, await pointerEntries(db).findOne({ _id: id }));
      for (;;) {
        const table = tableOf({ view, generation: supposed });
        const { rows, entry } = await rowsWithEntry<Row>(db, table, query(table), id);
        const live = generationAt(view, entry?.kind === 'pointer' ? entry : null);
        if (live === supposed) return rows();
        supposed = live;
      }
    });

  return {
    get: async <Stored>(view: ViewShape, key: string) => {
      const [stored] = await ask<StoredJson>(view, () => ({
        stages: [{ $match: { _id: key, _alive: true } }, JSON_ONLY],
      }));
      return stored === undefined ? null : documentOf<Stored>(stored);
    },
    getMany: async <Stored>(view: ViewShape, keys: readonly string[]) => {
      if (keys.length === 0) return new Map<string, Stored>();
      const stored = await ask<StoredJson & { readonly _id: string }>(view, () => ({
        stages: [{ $match: { _id: { $in: [...new Set(keys)] }, _alive: true } }, { $project: { _json: 1 } }],
      }));
      return new Map(stored.map((one) => [one._id, documentOf<Stored>(one)]));
    },
    find: async <Stored>(view: ViewShape, query: Parameters<ReadModels['find']>[1]) => {
      const limit = atLeastZero('limit', query.limit);
      const skip = atLeastZero('skip', query.skip) ?? 0;
      const stored = await ask<StoredJson>(view, (table) => {
        const { filter, sort, hint } = findPlan(table, query);
        // The server refuses a limit of 0.
        if (limit === 0) return { stages: [{ $match: { _id: { $in: [] } } }] };
        return {
          stages: [
            { $match: filter },
            { $sort: sort },
            ...(skip === 0 ? [] : [{ $skip: skip }]),
            ...(limit === undefined ? [] : [{ $limit: limit }]),
            JSON_ONLY,
          ],
          hint,
        };
      });
      return stored.map((one) => documentOf<Stored>(one));
    },
    count: async (view, filter) => {
      const [counted] = await ask<{ readonly count: number }>(view, (table) => ({
        stages: [{ $match: aliveFilter(table, filter) }, { $group: { _id: null, count: { $sum: 1 } } }],
      }));
      return counted?.count ?? 0;
    },
    groups: async (view, filter, grouping) => {
      atLeastZero('limit', grouping.limit);
      const counted = await ask<CountedRow>(view, (table) => {
        const fields = groupedFields(grouping);
        for (const field of fields) indexed(table, field);
        refuseInstants(view, fields);
        return { stages: groupStages(aliveFilter(table, filter), grouping) };
      });
      return groupsOf(counted, grouping);
    },
  };
}

type StoredJson = { readonly _json?: Scalar };

const JSON_ONLY = { $project: { _id: 0, _json: 1 } };

function documentOf<Stored>({ _json }: StoredJson): Stored {
  return JSON.parse(String(_json)) as Stored;
}
