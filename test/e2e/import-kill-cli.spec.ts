import { chmodSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { diagnostic } from '#test/support/diagnostic.js';
import { batchesOf, soon } from '#test/support/event-stores.js';
import { openingFile } from '#test/support/opening-files.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { runCli } from '#test/support/cli.js';

const HOOK = fileURLToPath(new URL('../support/killed-at-commit.js', import.meta.url));
/** More than one stream of subjects. */
const PAID = 600;
const FILE = openingFile([
  { kind: 'lot', id: 'contract', credits: 40 },
  { kind: 'lot', id: 'gift', credits: 5, expires_at: '2099-03-01', promotional: true },
  ...Array.from({ length: PAID }, (_, index) => ({ kind: 'paid', subject: `post:post:${index}` })),
]);

type Ended = { readonly code: number | null; readonly errors: string; readonly output: string };

describe('signal-ledger credits import that is killed with kill -9 on the embedded stores', () => {
  const folder = temporaryFolder('import-kill-cli');
  const file = join(folder, 'opening.jsonl');
  const commitsFile = join(folder, 'commits');
  const fresh = join(folder, 'fresh');
  /** The report of an import without a kill. */
  let report: object;

  async function run(data: string, args: readonly string[], environment = 'true'): Promise<Ended> {
    const settings = `export DATA_DIR='${data}' LOG_LEVEL=silent`;
    const child = runCli([...args, '--json'], `unset PORT OPS_PORT OPS_TOKEN; ${settings}; ${environment}`);
    const code = await soon(args.join(' '), child.ended);
    return { code, errors: child.errors(), output: child.lines().join('\n') };
  }
  async function answered(data: string, ...args: readonly string[]): Promise<Record<string, unknown>> {
    const { code, errors, output } = await run(data, args);
    expect([code, errors]).toEqual([0, '']);
    return JSON.parse(output);
  }
  const commit = ['credits', 'import', file, '--workspace-id', '1', '--mode', 'commit'] as const;
  /** Imports, and is killed at a commit; null: it had fewer of them. */
  async function killedAt(data: string, at: number, when: 'before' | 'behind'): Promise<Ended | null> {
    const hook = `export NODE_OPTIONS='--import=${HOOK}' KILL_AT=${at} KILL_WHEN=${when} COMMITS_FILE='${commitsFile}'`;
    const ended = await run(data, commit, hook);
    return ended.code === null ? ended : null;
  }
  async function eventsIn(data: string): Promise<readonly StoredEvent[]> {
    const store = await openSqliteEventStore({ path: join(data, 'events.db') });
    try {
      return (await batchesOf(store.readAll())).flatMap(({ events }) => events);
    } finally {
      await store.close();
    }
  }
  const countOf = (events: readonly StoredEvent[], wanted: string): number =>
    events.filter(({ type }) => type === wanted).length;

  /** The copy is private, too: Node.js 24 does not copy the permissions of a folder. */
  const copy = (from: string, to: string): void => {
    cpSync(from, to, { recursive: true });
    chmodSync(to, 0o700);
  };

  beforeAll(async () => {
    writeFileSync(file, FILE);
    await answered(fresh, 'workspace', 'create', '--name', 'Moving in');
    const undisturbed = join(folder, 'undisturbed');
    copy(fresh, undisturbed);
    const { parity, file_hash } = await answered(undisturbed, ...commit);
    expect(parity).toBeDefined();
    report = { parity, file_hash };
  });

  it.each(['before', 'behind'] as const)(
    'IMP-01 has each row once and the same parity report when it is run again, killed %s every commit',
    async (when) => {
      const found = { all: 0, nothing: 0 };
      for (let at = 0; ; at += 1) {
        const data = join(folder, `${when}-${at}`);
        copy(fresh, data);
        const killed = await killedAt(data, at, when);
        if (killed === null) break;
        const isThere = countOf(await eventsIn(data), 'OpeningImported') === 1;
        found[isThere ? 'all' : 'nothing'] += 1;
        const again = await answered(data, ...commit);
        const outcome = isThere ? 'was imported before' : 'imported';
        expect([at, again]).toEqual([at, expect.objectContaining({ outcome, ...report })]);
        expect(await answered(data, 'ledger', 'verify', '--workspace-id', '1')).toMatchObject({ ok: true });
        const events = await eventsIn(data);
        expect([at, countOf(events, 'OpeningImported')]).toEqual([at, 1]);
        const staged = events.filter(({ type }) => type === 'PaidSubjectsStaged');
        const subjects = staged.flatMap(({ data: { subjects: some } }) => Object(some)).flat();
        const names = subjects.map(({ subject }: { readonly subject: string }) => subject);
        expect([at, names.length, new Set(names).size]).toEqual([at, PAID, PAID]);
        rmSync(data, { recursive: true });
      }
      diagnostic(JSON.stringify({ when, ...found, commits: readFileSync(commitsFile, 'utf8').trim() }));
      // The ids, the subjects, and the opening after them.
      expect(found.nothing).toBeGreaterThan(when === 'before' ? 2 : 1);
      if (when === 'behind') expect(found.all).toBeGreaterThan(0);
    },
  );
});
