import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { houseRoot } from './house.js';

const checkRooms = (root: string) =>
  spawnSync(process.execPath, [join(houseRoot, 'tools/check-rooms.mjs'), root], { encoding: 'utf8' });

/** One forbidden import for every row of the table of rooms (`tools/rooms.mjs`) that forbids anything. */
const breaches: readonly { readonly file: string; readonly imports: string; readonly room: string }[] = [
  {
    file: 'libs/kernel/testing/planted.ts',
    imports: '#ledger/domain/books.js',
    room: 'scenarios of the kernel',
  },
  { file: 'libs/kernel/values/planted.ts', imports: 'node:fs', room: 'values' },
  { file: 'libs/kernel/values/planted.ts', imports: '../events/event.js', room: 'values' },
  { file: 'libs/kernel/ports/planted.ts', imports: '../commands/ids.js', room: 'ports' },
  { file: 'libs/kernel/events/planted.ts', imports: '../commands/decider.js', room: 'events' },
  { file: 'libs/kernel/commands/planted.ts', imports: '@nestjs/common', room: 'commands' },
  { file: 'libs/kernel/commands/planted.ts', imports: '../../domain/credits/books.js', room: 'commands' },
  {
    file: 'libs/kernel/projections/planted.ts',
    imports: '../commands/decider.js',
    room: 'declared projections',
  },
  {
    file: 'libs/signals/domain/agents/planted.ts',
    imports: '#signals/domain/launches/prepare-launch.js',
    room: 'domain of those that launch',
  },
  {
    file: 'libs/signals/domain/setups/planted.ts',
    imports: '#lists/domain/personas/personas.js',
    room: 'domain of those that launch',
  },
  { file: 'libs/ledger/domain/planted.ts', imports: '#lists/domain/lists/list.js', room: 'domain' },
  { file: 'libs/ledger/domain/planted.ts', imports: '#signals/domain/launches/launches.js', room: 'domain' },
  { file: 'libs/ledger/domain/planted.ts', imports: '#ledger/answers/balance.answer.js', room: 'domain' },
  { file: 'libs/ledger/domain/planted.ts', imports: '@nestjs/common', room: 'domain' },
  { file: 'libs/ledger/domain/planted.ts', imports: 'node:crypto', room: 'domain' },
  { file: 'libs/ledger/domain/planted.ts', imports: 'fast-check', room: 'domain' },
  { file: 'libs/ledger/domain/planted.ts', imports: '#kernel/testing/scenario.js', room: 'domain' },
  {
    file: 'libs/catalogue/domain/prices/planted.ts',
    imports: '#catalogue/domain/templates/catalogue-file.js',
    room: 'domain',
  },
  { file: 'projections/ledger/planted.ts', imports: '#ledger/domain/books.js', room: 'projections' },
  {
    file: 'projections/ledger/planted.ts',
    imports: '#read-store/sqlite/open-sqlite-read-store.js',
    room: 'projections',
  },
  { file: 'libs/sqlite/planted.ts', imports: '#event-store/sqlite/schema.js', room: 'SQLite plumbing' },
  { file: 'libs/outbound/planted.ts', imports: '#network/ingest.js', room: 'outbound' },
  { file: 'libs/sources/planted.ts', imports: '#http/problem.js', room: 'sources' },
  { file: 'libs/mongodb/planted.ts', imports: '#read-store/mongodb/catalogue.js', room: 'MongoDB plumbing' },
  { file: 'libs/event-store/sqlite/planted.ts', imports: '@eventstore/db-client', room: 'event store' },
  {
    file: 'libs/event-store/sqlite/planted.ts',
    imports: '#ledger/domain/credits.events.js',
    room: 'event store',
  },
  { file: 'libs/event-store/eventstoredb/planted.ts', imports: '#sqlite/busy.js', room: 'event store' },
  {
    file: 'libs/event-store/copy/planted.ts',
    imports: '#event-store/sqlite/sqlite-event-store.js',
    room: 'copy of an event store',
  },
  { file: 'libs/event-store/copy/planted.ts', imports: 'node:fs', room: 'copy of an event store' },
  { file: 'libs/read-store/sqlite/planted.ts', imports: '#projections/index.js', room: 'read store' },
  { file: 'libs/read-store/mongodb/planted.ts', imports: '@photostructure/sqlite', room: 'read store' },
  { file: 'libs/network/sqlite/planted.ts', imports: 'mongodb', room: 'network adapters' },
  {
    file: 'libs/network/mongodb/planted.ts',
    imports: '#network/sqlite/sqlite-source.js',
    room: 'network adapters',
  },
  { file: 'libs/secrets/planted.ts', imports: '#ledger/domain/books.js', room: 'secrets' },
  { file: 'libs/network/planted.ts', imports: './sqlite/sqlite-source.js', room: 'network' },
  { file: 'libs/network/planted.ts', imports: '#identities/domain/leads/lead-facts.js', room: 'network' },
  {
    file: 'libs/projection-engine/planted.ts',
    imports: '#ledger/domain/credits.events.js',
    room: 'projection engine',
  },
  { file: 'libs/projection-engine/planted.ts', imports: '@photostructure/sqlite', room: 'projection engine' },
  { file: 'libs/http/planted.ts', imports: '#ledger/domain/books.js', room: 'http' },
  { file: 'libs/http/planted.ts', imports: '#event-store/sqlite/sqlite-event-store.js', room: 'http' },
  { file: 'libs/clock/planted.ts', imports: '#ledger/domain/books.js', room: 'clock' },
  { file: 'libs/keyed-requests/planted.ts', imports: '#http/endpoint.js', room: 'keyed requests' },
  { file: 'libs/process-engine/planted.ts', imports: '#http/endpoint.js', room: 'process engine' },
  { file: 'libs/process-engine/planted.ts', imports: '#ledger/domain/books.js', room: 'process engine' },
  {
    file: 'libs/process-engine/planted.ts',
    imports: '#network/sqlite/sqlite-source.js',
    room: 'process engine',
  },
  { file: 'libs/ledger/answers/planted.ts', imports: '#ops/support/inputs.js', room: 'ledger answers' },
  { file: 'libs/ledger/planted.ts', imports: '#ops/support/inputs.js', room: 'work of features' },
  { file: 'libs/ledger/planted.ts', imports: '#network/sqlite/reader.js', room: 'work of features' },
  { file: 'libs/ledger/export/planted.ts', imports: 'node:fs', room: 'work of features' },
  {
    file: 'libs/monitoring/planted.ts',
    imports: '#monitoring/commands/monitoring-verify.js',
    room: 'work of features',
  },
  { file: 'libs/signals/detection/planted.ts', imports: '@nestjs/common', room: 'work of features' },
  { file: 'libs/identities/locations/planted.ts', imports: '#network/ingest.js', room: 'locations' },
  { file: 'libs/ledger/commands/planted.ts', imports: '#http/endpoint.js', room: 'operator commands' },
  { file: 'libs/ops/planted.ts', imports: '#runtime/service-host.js', room: 'operator commands' },
  { file: 'libs/ops/planted.ts', imports: '@photostructure/sqlite', room: 'operator commands' },
  { file: 'libs/runtime/planted.ts', imports: '#apps/api/src/service.js', room: 'runtime' },
  { file: 'apps/cli/src/planted.ts', imports: '#apps/api/src/service.js', room: 'cli' },
  { file: 'apps/mcp/src/planted.ts', imports: '#apps/api/src/service.js', room: 'mcp' },
  { file: 'apps/mcp/src/planted.ts', imports: '#ledger/domain/books.js', room: 'mcp' },
  {
    file: 'apps/console/src/planted.ts',
    imports: '#ledger/commands/ledger-statement.js',
    room: 'console',
  },
  { file: 'apps/worker/src/planted.ts', imports: '#apps/api/src/api.module.js', room: 'worker' },
  {
    file: 'apps/api/src/service.ts',
    imports: './lists/create-list.command.js',
    room: 'api composition',
  },
  { file: 'apps/api/src/lists/planted.ts', imports: '#runtime/stores.js', room: 'endpoints' },
  { file: 'apps/api/src/lists/planted.ts', imports: '../service.js', room: 'endpoints' },
  { file: 'apps/api/src/lists/planted.ts', imports: '#network/sqlite/reader.js', room: 'endpoints' },
  { file: 'apps/api/src/lists/planted.ts', imports: '#lists/commands/list-bind-crm.js', room: 'endpoints' },
  { file: 'apps/api/src/planted.ts', imports: '#sqlite/busy.js', room: 'endpoints' },
  { file: 'tools/planted.mjs', imports: '../libs/kernel/values/hash.js', room: 'tools' },
];

/** One import against the order of the features, for each of their three places. */
const backwards: readonly { readonly file: string; readonly imports: string }[] = [
  { file: 'libs/lists/planted.ts', imports: '#monitoring/pay-months.js' },
  {
    file: 'projections/access/planted.ts',
    imports: '#projections/signals/detections/detections.projection.js',
  },
  { file: 'apps/api/src/catalogue/planted.ts', imports: '../signals/signals/signal-page.js' },
];

/** Rooms that may not import the kernel either. */
const KNOWS_NO_KERNEL = /\.mjs$|^libs\/outbound\//;

describe('the rooms of the house', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rooms-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('follow their rules, and every room was checked', () => {
    const { status, stdout, stderr } = checkRooms(houseRoot);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const rooms = [...stdout.matchAll(/^ *(\d+) files +\d+ imports {2}(.+)$/gm)].map(([, files, room]) => ({
      room,
      seen: Number(files) > 0,
    }));
    // `test` may import anything: it is the one room without a rule to break.
    const ruled = new Set(breaches.map(({ room }) => room)).add('test');
    expect(new Set(rooms.map(({ room }) => room))).toEqual(ruled);
    expect(rooms.filter(({ seen }) => !seen)).toEqual([]);
  });

  it('reveal every planted breach, and nothing else', () => {
    const sources = new Map<string, string[]>();
    for (const { file, imports } of [...breaches, ...backwards])
      sources.set(file, [...(sources.get(file) ?? []), imports]);
    for (const [file, imports] of sources) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      // Every way to import a module, and words in a comment and a text that import none.
      const lines = imports.flatMap((name, index) => [
        [`import type { Planted } from '${name}';`, `export * from '${name}';`, `await import('${name}');`][
          index % 3
        ],
        `// import '#apps/none.js';`,
        `const text = "import '#apps/none.js'";`,
        `import '#kernel/values/json.js';`,
      ]);
      writeFileSync(
        join(folder, file),
        lines.filter((line) => !KNOWS_NO_KERNEL.test(file) || !line?.includes('#kernel')).join('\n'),
      );
    }
    writeFileSync(join(folder, 'libs/kernel/values/planted.spec.ts'), `import 'fast-check';`);
    mkdirSync(join(folder, 'libs/attic'));
    writeFileSync(join(folder, 'libs/attic/planted.ts'), '');
    const { status, stderr } = checkRooms(folder);
    expect(status).toBe(1);
    expect(stderr.trim().split('\n').sort()).toEqual(
      [
        ...breaches.map(
          ({ file, imports, room }) => `${file} imports ${imports}: not allowed in the room "${room}"`,
        ),
        ...backwards.map(
          ({ file, imports }) => `${file} imports ${imports}: against the order of the features`,
        ),
        'libs/attic/planted.ts is in no room',
        'no file was found in the room "test"',
      ].sort(),
    );
  });

  it('reveal a permission that no file of a room needs, and a set of them as one', () => {
    const own = mkdtempSync(join(tmpdir(), 'rooms-own-'));
    const write = (file: string, text: string): void => {
      mkdirSync(dirname(join(own, file)), { recursive: true });
      writeFileSync(join(own, file), text);
    };
    write(
      'tools/rooms.mjs',
      `const SET = ['libs/a/*', 'libs/b/*'];
       export const permissionSets = [SET];
       export const forSpecs = [];
       export const rooms = [
         { name: 'first', folder: 'libs/a', may: ['libs/a/*'], packages: ['node:fs', 'node:os'], specs: ['libs/b/own.ts'] },
         { name: 'second', folder: 'libs/b', may: [...SET, 'libs/c/*'] },
         { name: 'tools', folder: 'tools', packages: ['expect'] },
       ];`,
    );
    write('libs/a/own.ts', `import 'node:fs';\nimport './other.js';`);
    write('libs/b/own.ts', `import '../a/own.js';`);
    const { status, stderr } = checkRooms(own);
    rmSync(own, { recursive: true });
    expect(status).toBe(1);
    expect(stderr.trim().split('\n')).toEqual([
      'the room "first" may import libs/a/*, and no file of it does',
      'the room "first" may import node:os, and no file of it does',
      'the room "first" may import libs/b/own.ts, and no file of it does',
      'the room "second" may import libs/c/*, and no file of it does',
      'the room "tools" may import expect, and no file of it does',
    ]);
  });
});
