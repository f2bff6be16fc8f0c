import { diagnostic } from '#test/support/diagnostic.js';
import { join } from 'node:path';
import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import { rebuildNote, type RebuildNote } from '#projection-engine/rebuild-note.js';
import { creditMovements } from '#projections/ledger/credit-movements/credit-movements.projection.js';
import { openSqliteReadStore } from '#read-store/sqlite/open-sqlite-read-store.js';
import { writeLedger } from '#test/bench/ledger-history.js';
import { documentsOf, eventually } from '#test/projections/engine-fixture.js';
import { ONLY_PROGRESS, type Child } from '#test/support/child-process.js';
import { soon } from '#test/support/event-stores.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { runCli } from '#test/support/cli.js';

const VIEW = creditMovements;
/** Enough for several slices of an operator's rebuild: each movement is two events. */
const MOVEMENTS = 6_000;

/** The state of a rebuild as another process sees it. */
type Seen = {
  readonly live: number;
  readonly note: RebuildNote | null;
  /** Events that are in the documents of the generation being built; null before it exists. */
  readonly applied: number | null;
};

/** `isAtEnd`: hardly any work is left, so the operator may have finished before it is killed. */
type Point = {
  readonly what: string;
  readonly isAtEnd?: boolean;
  readonly isReached: (seen: Seen) => boolean;
};
const POINTS: readonly Point[] = [
  { what: 'the generation exists', isReached: ({ applied }) => applied !== null },
  { what: 'the first events are in', isReached: ({ applied }) => (applied ?? 0) > 0 },
  { what: 'more than half is in', isReached: ({ applied }) => (applied ?? 0) > MOVEMENTS },
  {
    what: 'it is ready, or swapped',
    isAtEnd: true,
    isReached: ({ note, live }) => note?.generation === live || note?.state === 'ready',
  },
];

const folder = temporaryFolder('killed-operator');

describe('an operator whose rebuild is killed with kill -9', () => {
  let reads: ReadStore;
  const operator = (...args: readonly string[]): Child =>
    runCli(
      [...args, '--json'],
      `unset PORT OPS_PORT OPS_TOKEN; export DATA_DIR='${folder}' LOG_LEVEL=silent`,
    );
  const answered = async (...args: readonly string[]): Promise<Record<string, unknown>> => {
    const child = operator(...args);
    const code = await soon(args.join(' '), child.ended);
    expect([code, child.errors()]).toEqual([0, expect.stringMatching(ONLY_PROGRESS)]);
    return JSON.parse(child.lines().join('\n'));
  };
  const seen = async (): Promise<Seen> => {
    const { live, all } = await reads.generations(VIEW);
    const note = await rebuildNote(reads, VIEW);
    const building = note !== null && all.includes(note.generation) ? note.generation : null;
    const checkpoint =
      building === null ? null : await reads.checkpoint({ view: VIEW, generation: building });
    return { live: live ?? 0, note, applied: building === null ? null : (checkpoint?.applied ?? 0) };
  };
  beforeAll(async () => {
    const events = await openSqliteEventStore({ path: join(folder, 'events.db') });
    await writeLedger(events, 7, MOVEMENTS);
    await events.close();
    await answered('work', 'drain');
    reads = await openSqliteReadStore({ path: join(folder, 'views.db') });
  });
  afterAll(() => reads.close());

  it('the next one continues from its position, in any state, and the read model matches the events', async () => {
    const text = async (): Promise<string> => JSON.stringify([...(await documentsOf(reads, VIEW))]);
    const documents = await text();
    expect(await reads.count(VIEW, {})).toBe(MOVEMENTS);
    const first = await seen();
    const killedAt: { readonly what: string; readonly applied: number }[] = [];
    for (const { what, isAtEnd = false, isReached } of POINTS) {
      const child = operator('projections', 'rebuild', '--name', VIEW.name);
      await soon(
        what,
        eventually(async () => child.process.exitCode !== null || isReached(await seen())),
      );
      child.process.kill('SIGKILL');
      await child.ended;
      const { applied, note } = await seen();
      // Each attempt found the same rebuild and continued it.
      expect([what, note?.generation]).toEqual([what, first.live + 1]);
      expect([what, (applied ?? 0) >= (killedAt.at(-1)?.applied ?? 0)]).toEqual([what, true]);
      killedAt.push({ what, applied: applied ?? 0 });
      // Killed rather than finished: there was work left. At the end it may have finished, without an error.
      const end = child.process.signalCode ?? child.process.exitCode;
      expect([what, end]).toEqual([what, isAtEnd && end === 0 ? 0 : 'SIGKILL']);
      expect([what, (await text()) === documents]).toEqual([what, true]);
    }
    diagnostic(JSON.stringify(killedAt));
    expect(killedAt.filter(({ applied }) => applied > 0 && applied < 2 * MOVEMENTS)).not.toEqual([]);

    const { rebuilt } = await answered('projections', 'rebuild', '--name', VIEW.name);
    expect(rebuilt).toEqual([expect.objectContaining({ name: VIEW.name, outcome: 'live' })]);
    expect((await seen()).live).toBeGreaterThan(first.live);
    expect((await text()) === documents).toBe(true);
    expect(await answered('projections', 'verify', '--name', VIEW.name)).toMatchObject({ ok: true });
  });
});
