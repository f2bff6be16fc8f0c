import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  ReadModelUnavailable,
  type Generation,
  type ReadStore,
  type ViewShape,
} from '#kernel/ports/read-store.port.js';
import { requireSameIndexes } from '#kernel/projections/generation-tables.js';
import type { Connection } from './connection.js';
import { requireFence } from './leases.js';
import { createTableSql, namesOf, tableOf, type Table } from './tables.js';

type GenerationStore = Pick<
  ReadStore,
  | 'generations'
  | 'storedViews'
  | 'storedGenerations'
  | 'createGeneration'
  | 'makeLive'
  | 'withdraw'
  | 'dropGeneration'
>;
type GenerationRow = {
  readonly generation: number;
  readonly indexes: string;
  readonly live: 0 | 1;
  readonly dropping: 0 | 1;
};

type StoredRow = Pick<GenerationRow, 'generation' | 'live'> & { readonly version: number };

/** Rows deleted at a time when a table is dropped: some milliseconds of the event loop and of the write lock. */
const DROP_SLICE_ROWS = 2_000;

export function sqliteGenerations({ statement, read, write, forgetStatements }: Connection): GenerationStore {
  const rowOf = (generation: Generation): GenerationRow | undefined =>
    statement(
      'SELECT generation, indexes, live, dropping FROM _generations WHERE view = ? AND version = ? AND generation = ?',
    ).get(...namesOf(generation)) as GenerationRow | undefined;

  const deleteCheckpoint = (generation: Generation): void => {
    statement(
      'DELETE FROM _checkpoints WHERE id = (SELECT checkpoint FROM _generations' +
        ' WHERE view = ? AND version = ? AND generation = ?)',
    ).run(...namesOf(generation));
  };

  /** Empties the tables in slices: dropping a large table at once would block the process for seconds. */
  const finishDrop = async (generation: Generation): Promise<void> => {
    const table = tableOf(generation);
    const empties = (name: string): boolean => {
      const slice = `DELETE FROM ${name} WHERE _key IN (SELECT _key FROM ${name} LIMIT ${DROP_SLICE_ROWS})`;
      return Number(statement(slice).run().changes) < DROP_SLICE_ROWS;
    };
    const isDropping = (): boolean => rowOf(generation)?.dropping === 1;
    // Those that the table has: an earlier version of the view has others than its caller knows.
    for (const name of await read(() => indexNames(statement, table))) {
      await write(() => isDropping() && statement(`DROP INDEX IF EXISTS "${name}"`).run());
    }
    for (const name of [table.documents, table.tombstones]) {
      while (!(await write(() => !isDropping() || empties(name)))) await nextTurn();
    }
    await write(() => {
      if (!isDropping()) return;
      statement(`DROP TABLE ${table.documents}`).run();
      statement(`DROP TABLE ${table.tombstones}`).run();
      deleteCheckpoint(generation);
      statement('DELETE FROM _generations WHERE view = ? AND version = ? AND generation = ?').run(
        ...namesOf(generation),
      );
    });
    forgetStatements();
  };

  return {
    generations: (view) =>
      read(() => {
        const rows = statement(
          'SELECT generation, live FROM _generations WHERE view = ? AND version = ? AND dropping = 0 ORDER BY generation',
        ).all(view.name, view.version) as readonly GenerationRow[];
        return {
          live: rows.find(({ live }) => live === 1)?.generation ?? null,
          all: rows.map(({ generation }) => generation),
        };
      }),
    storedViews: () =>
      read(() => {
        const rows = statement('SELECT DISTINCT view FROM _generations ORDER BY view').all() as readonly {
          readonly view: string;
        }[];
        return rows.map(({ view }) => view);
      }),
    storedGenerations: (viewName) =>
      read(() => {
        const rows = statement(
          'SELECT version, generation, live FROM _generations WHERE view = ? ORDER BY version, generation',
        ).all(viewName) as readonly StoredRow[];
        return rows.map(({ version, generation, live }) => ({ version, generation, isLive: live === 1 }));
      }),
    createGeneration: async (generation) => {
      const table = tableOf(generation);
      // An interrupted drop has left its tables.
      if ((await read(() => rowOf(generation)))?.dropping === 1) await finishDrop(generation);
      await write(() => {
        const found = rowOf(generation);
        if (found !== undefined) return requireSameIndexes(table, found.indexes);
        for (const sql of createTableSql(table)) statement(sql).run();
        statement('INSERT INTO _generations (view, version, generation, indexes) VALUES (?, ?, ?, ?)').run(
          ...namesOf(generation),
          table.indexLists,
        );
      });
    },
    makeLive: (generation, fence) =>
      write(() => {
        const { view } = generation;
        requireFence(statement, fence);
        requireGeneration(rowOf(generation), generation);
        requireIndexes(statement, tableOf(generation));
        statement('UPDATE _generations SET live = 0 WHERE view = ? AND version = ? AND live = 1').run(
          view.name,
          view.version,
        );
        statement('UPDATE _generations SET live = 1 WHERE view = ? AND version = ? AND generation = ?').run(
          ...namesOf(generation),
        );
      }),
    withdraw: (generation, fence) =>
      write(() => {
        requireFence(statement, fence);
        statement('UPDATE _generations SET live = 0 WHERE view = ? AND version = ? AND generation = ?').run(
          ...namesOf(generation),
        );
      }),
    dropGeneration: async (generation) => {
      const found = await write(() => {
        const row = rowOf(generation);
        if (row === undefined || row.live === 1) return row;
        // A process that still writes to it finds no checkpoint, and checks the generation.
        deleteCheckpoint(generation);
        statement(
          'UPDATE _generations SET dropping = 1 WHERE view = ? AND version = ? AND generation = ?',
        ).run(...namesOf(generation));
        return row;
      });
      if (found === undefined) return true;
      if (found.live === 1) return false;
      await finishDrop(generation);
      return true;
    },
  };
}

/**
 * The table that queries on a view read now. Must run in the same transaction as the query: another process may swap
 * and drop generations at any time.
 */
export function liveTable(statement: Connection['statement'], view: ViewShape): Table {
  const row = statement(
    'SELECT generation, indexes FROM _generations WHERE view = ? AND version = ? AND live = 1',
  ).get(view.name, view.version) as GenerationRow | undefined;
  if (row === undefined) {
    throw new ReadModelUnavailable(`the read model ${view.name} version ${view.version} is not built yet`);
  }
  const table = tableOf({ view, generation: row.generation });
  requireSameIndexes(table, row.indexes);
  return table;
}

/** The table of a generation that must exist, whether or not it is live. */
export function existingTable(statement: Connection['statement'], generation: Generation): Table {
  const row = statement(
    'SELECT generation, indexes, dropping FROM _generations WHERE view = ? AND version = ? AND generation = ?',
  ).get(...namesOf(generation)) as GenerationRow | undefined;
  requireGeneration(row, generation);
  return tableOf(generation);
}

function requireGeneration(row: GenerationRow | undefined, asked: Generation): void {
  const { view, generation } = asked;
  if (row === undefined || row.dropping === 1) {
    throw new Error(`generation ${generation} of ${view.name} version ${view.version} does not exist`);
  }
  requireSameIndexes(tableOf(asked), row.indexes);
}

function requireIndexes(statement: Connection['statement'], table: Table): void {
  const missing = missingIndexes(statement, table);
  if (missing.length === 0) return;
  throw new Error(`${table.documents} is not indexed yet: ${missing.map(({ name }) => name).join(', ')}`);
}

/** Read from the tables themselves, so it cannot differ from them. */
export function missingIndexes(statement: Connection['statement'], table: Table): Table['indexes'] {
  const present = new Set(indexNames(statement, table).map((name) => `"${name}"`));
  return table.indexes.filter(({ name }) => !present.has(name));
}

/** The indexes that the documents' table has, without the one of its key, which has no statement. */
function indexNames(statement: Connection['statement'], { documents }: Table): readonly string[] {
  const rows = statement(
    "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL",
  ).all(documents.slice(1, -1)) as readonly { readonly name: string }[];
  return rows.map(({ name }) => name);
}
