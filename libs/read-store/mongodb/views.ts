import { versionName } from '#kernel/projections/generation-tables.js';
import { MongoServerError, type Db } from 'mongodb';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import type { Group, Grouping, ReadModels, Scalar, ViewShape } from '#kernel/ports/read-store.port.js';
import type { MongoDatabase } from '#mongodb/open-mongo-database.js';
import {
  documentsOf,
  pointerEntries,
  requireSameIndexes,
  tableOf,
  type GenerationCollection,
} from './catalogue.js';
import { groupsByValue } from './groups.js';
import { aliveFilter, findPlan, indexed } from './query-filters.js';

/** The cursor's collection went away: QueryPlanKilled, CursorNotFound, CursorKilled. */
const GONE: ReadonlySet<unknown> = new Set([175, 43, 237]);

/**
 * Queries on the live generation of a view. The generation is cached from the last query and read concurrently: an
 * answer counts if its generation was live then. A generation is dropped only after another was made live, so an
 * answer with documents is complete; an answer with missing documents is repeated if the generation has changed
 * meanwhile.
 */
export function mongoViews({ read }: MongoDatabase): ReadModels {
  const remembered = new Map<string, number>();

  const liveTable = async (db: Db, view: ViewShape): Promise<GenerationCollection> => {
    const id = versionName(view);
    const entry = await pointerEntries(db).findOne({ _id: id });
    if (entry === null || entry.live === null) {
      throw new StoreUnavailable(`the read model ${view.name} version ${view.version} is not built yet`);
    }
    const table = tableOf({ view, generation: entry.live });
    requireSameIndexes(table, entry.indexes);
    remembered.set(id, entry.live);
    return table;
  };
  const ask = <Answer>(
    view: ViewShape,
    query: (db: Db, table: GenerationCollection) => Promise<Answer>,
    foundAll: (answer: Answer) => boolean,
  ): Promise<Answer> =>
    read(async (db) => {
      const known = remembered.get(versionName(view));
      let supposed = known === undefined ? await liveTable(db, view) : tableOf({ view, generation: known });
      for (;;) {
        const asked = query(db, supposed).then(
          (value) => ({ value }),
          (error: unknown) => ({ error }),
        );
        const [answer, live] = await Promise.all([asked, liveTable(db, view)]);
        if (live.id !== supposed.id) {
          supposed = live;
          continue;
        }
        if ('error' in answer && !isGone(answer.error)) throw answer.error;
        if ('value' in answer && foundAll(answer.value)) return answer.value;
        supposed = await liveTable(db, view);
        if ('value' in answer && supposed.id === live.id) return answer.value;
      }
    });

  return {
    get: <Document>(view: ViewShape, key: string) =>
      ask(
        view,
        async (db, table) => {
          const stored = await documentsOf(db, table).findOne(
            { _id: key, _alive: true },
            { projection: { _json: 1 } },
          );
          return stored === null ? null : documentOf<Document>(stored);
        },
        (answer) => answer !== null,
      ),
    getMany: <Document>(view: ViewShape, keys: readonly string[]) =>
      ask(
        view,
        async (db, table) => {
          const stored = await documentsOf(db, table)
            .find({ _id: { $in: [...new Set(keys)] }, _alive: true }, { projection: { _json: 1 } })
            .toArray();
          return new Map(stored.map((one) => [one._id, documentOf<Document>(one)]));
        },
        (answer) => answer.size === new Set(keys).size,
      ),
    find: async <Document>(view: ViewShape, query: Parameters<ReadModels['find']>[1]) => {
      const limit = atLeastZero('limit', query.limit);
      const skip = atLeastZero('skip', query.skip) ?? 0;
      return ask(
        view,
        async (db, table): Promise<readonly Document[]> => {
          const { filter, sort, hint } = findPlan(table, query);
          if (limit === 0) return [];
          const stored = await documentsOf(db, table)
            .find(filter, {
              sort,
              skip,
              ...(limit === undefined ? {} : { limit }),
              ...(hint === null ? {} : { hint }),
              projection: { _id: 0, _json: 1 },
            })
            .toArray();
          return stored.map((one) => documentOf<Document>(one));
        },
        (answer) => answer.length > 0 || limit === 0,
      );
    },
    count: (view, filter) =>
      ask(
        view,
        async (db, table) => documentsOf(db, table).countDocuments(aliveFilter(table, filter)),
        (count) => count > 0,
      ),
    groups: async (view, filter, grouping) => {
      atLeastZero('limit', grouping.limit);
      return ask(
        view,
        async (db, table) => {
          for (const field of fieldsOf(grouping)) indexed(table, field);
          return groupsByValue(documentsOf(db, table), aliveFilter(table, filter), grouping);
        },
        (groups: readonly Group[]) => groups.some(({ count }) => count > 0) || grouping.limit === 0,
      );
    },
  };
}

function fieldsOf({ by, sum }: Grouping): readonly string[] {
  return sum === undefined ? by : [...by, sum];
}

function documentOf<Document>({ _json }: { readonly _json?: Scalar | undefined }): Document {
  return JSON.parse(String(_json)) as Document;
}

function isGone(error: unknown): boolean {
  return error instanceof MongoServerError && GONE.has(error.code);
}

function atLeastZero(name: string, count: number | undefined): number | undefined {
  if (count !== undefined && !(Number.isSafeInteger(count) && count >= 0)) {
    throw new Error(`${name} counts documents, ${count} does not`);
  }
  return count;
}
