import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { houseRoot, plant } from './house.js';

const checkRooms = (root: string) =>
  spawnSync(process.execPath, [join(houseRoot, 'tools/check-rooms.mjs'), root], { encoding: 'utf8' });

/** One forbidden import for every row of the table of rooms (`tools/rooms.mjs`) that forbids anything. */
const breaches: readonly (readonly [file: string, imports: string, room: string])[] = [
  ['libs/kernel/testing/planted.ts', '#ledger/domain/books.js', 'scenarios of the kernel'],
  ['libs/event-store/testing/planted.ts', '#event-store/sqlite/sqlite-event-store.js', 'sample log'],
  ['libs/kernel/values/planted.ts', 'node:fs', 'values'],
  ['libs/kernel/values/planted.ts', '../events/event.js', 'values'],
  ['libs/kernel/ports/planted.ts', '../commands/ids.js', 'ports'],
  ['libs/kernel/events/planted.ts', '../commands/decider.js', 'events'],
  ['libs/kernel/commands/planted.ts', '@nestjs/common', 'commands'],
  ['libs/kernel/commands/planted.ts', '../../domain/credits/books.js', 'commands'],
  ['libs/kernel/projections/planted.ts', '../commands/decider.js', 'declared projections'],
  [
    'libs/signals/domain/agents/planted.ts',
    '#signals/domain/launches/prepare-launch.js',
    'domain of those that launch',
  ],
  [
    'libs/signals/domain/setups/planted.ts',
    '#lists/domain/personas/personas.js',
    'domain of those that launch',
  ],
  ['libs/ledger/domain/planted.ts', '#lists/domain/lists/list.js', 'domain'],
  ['libs/ledger/domain/planted.ts', '#signals/domain/launches/launches.js', 'domain'],
  ['libs/ledger/domain/planted.ts', '#ledger/answers/balance.answer.js', 'domain'],
  ['libs/ledger/domain/planted.ts', '@nestjs/common', 'domain'],
  ['libs/ledger/domain/planted.ts', 'node:crypto', 'domain'],
  ['libs/ledger/domain/planted.ts', 'fast-check', 'domain'],
  ['libs/ledger/domain/planted.ts', '#kernel/testing/scenario.js', 'domain'],
  ['libs/catalogue/domain/prices/planted.ts', '#catalogue/domain/templates/catalogue-file.js', 'domain'],
  ['projections/ledger/planted.ts', '#ledger/domain/books.js', 'projections'],
  ['projections/ledger/planted.ts', '#read-store/sqlite/open-sqlite-read-store.js', 'projections'],
  ['libs/sqlite/planted.ts', '#event-store/sqlite/schema.js', 'SQLite plumbing'],
  ['libs/outbound/planted.ts', '#network/ingest.js', 'outbound'],
  ['libs/sources/planted.ts', '#http/problem.js', 'sources'],
  ['libs/mongodb/planted.ts', '#read-store/mongodb/catalogue.js', 'MongoDB plumbing'],
  ['libs/event-store/sqlite/planted.ts', '@eventstore/db-client', 'event store'],
  ['libs/event-store/sqlite/planted.ts', '#ledger/domain/credits.events.js', 'event store'],
  ['libs/event-store/eventstoredb/planted.ts', '#sqlite/busy.js', 'event store'],
  ['libs/event-store/copy/planted.ts', '#event-store/sqlite/sqlite-event-store.js', 'copy of an event store'],
  ['libs/event-store/copy/planted.ts', 'node:fs', 'copy of an event store'],
  ['libs/read-store/sqlite/planted.ts', '#projections/index.js', 'read store'],
  ['libs/read-store/mongodb/planted.ts', '@photostructure/sqlite', 'read store'],
  ['libs/network/sqlite/planted.ts', 'mongodb', 'network adapters'],
  ['libs/network/mongodb/planted.ts', '#network/sqlite/sqlite-source.js', 'network adapters'],
  ['libs/secrets/planted.ts', '#ledger/domain/books.js', 'secrets'],
  ['libs/network/planted.ts', './sqlite/sqlite-source.js', 'network'],
  ['libs/network/planted.ts', '#identities/domain/leads/lead-facts.js', 'network'],
  ['libs/projection-engine/planted.ts', '#ledger/domain/credits.events.js', 'projection engine'],
  ['libs/projection-engine/planted.ts', '@photostructure/sqlite', 'projection engine'],
  ['libs/http/planted.ts', '#ledger/domain/books.js', 'http'],
  ['libs/http/planted.ts', '#event-store/sqlite/sqlite-event-store.js', 'http'],
  ['libs/clock/planted.ts', '#ledger/domain/books.js', 'clock'],
  ['libs/keyed-requests/planted.ts', '#http/endpoint.js', 'keyed requests'],
  ['libs/process-engine/planted.ts', '#http/endpoint.js', 'process engine'],
  ['libs/process-engine/planted.ts', '#ledger/domain/books.js', 'process engine'],
  ['libs/process-engine/planted.ts', '#network/sqlite/sqlite-source.js', 'process engine'],
  ['libs/ledger/answers/planted.ts', '#ops/support/inputs.js', 'ledger answers'],
  ['libs/ledger/planted.ts', '#ops/support/inputs.js', 'work of features'],
  ['libs/ledger/planted.ts', '#network/sqlite/reader.js', 'work of features'],
  ['libs/ledger/export/planted.ts', 'node:fs', 'work of features'],
  ['libs/monitoring/planted.ts', '#monitoring/commands/monitoring-verify.js', 'work of features'],
  ['libs/signals/detection/planted.ts', '@nestjs/common', 'work of features'],
  ['libs/identities/locations/planted.ts', '#network/ingest.js', 'locations'],
  ['libs/ledger/commands/planted.ts', '#http/endpoint.js', 'operator commands'],
  ['libs/ops/planted.ts', '#runtime/service-host.js', 'operator commands'],
  ['libs/ops/planted.ts', '@photostructure/sqlite', 'operator commands'],
  ['libs/runtime/planted.ts', '#apps/api/src/service.js', 'runtime'],
  ['apps/cli/src/planted.ts', '#apps/api/src/service.js', 'cli'],
  ['apps/mcp/src/planted.ts', '#apps/api/src/service.js', 'mcp'],
  ['apps/mcp/src/planted.ts', '#ledger/domain/books.js', 'mcp'],
  ['apps/console/src/planted.ts', '#ledger/commands/ledger-statement.js', 'console'],
  ['apps/worker/src/planted.ts', '#apps/api/src/api.module.js', 'worker'],
  ['apps/api/src/service.ts', './lists/create-list.command.js', 'api composition'],
  ['apps/api/src/lists/planted.ts', '#runtime/stores.js', 'endpoints'],
  ['apps/api/src/lists/planted.ts', '../service.js', 'endpoints'],
  ['apps/api/src/lists/planted.ts', '#network/sqlite/reader.js', 'endpoints'],
  ['apps/api/src/lists/planted.ts', '#lists/commands/list-bind-crm.js', 'endpoints'],
  ['apps/api/src/planted.ts', '#sqlite/busy.js', 'endpoints'],
  ['tools/planted.mjs', '../libs/kernel/values/hash.js', 'tools'],
];

/** One import against the order of the features, for each of their three places. */
const backwards: readonly (readonly [file: string, imports: string])[] = [
  ['libs/lists/planted.ts', '#monitoring/pay-months.js'],
  ['projections/access/planted.ts', '#projections/signals/detections/detections.projection.js'],
  ['apps/api/src/catalogue/planted.ts', '../signals/signals/signal-page.js'],
];

/** Rooms that may not import the kernel either. */
const KNOWS_NO_KERNEL = /\.mjs$|^libs\/outbound\//;

describe('the rooms of the house', () => {
  const folder = temporaryFolder('rooms');

  it('follow their rules, and every room was checked', () => {
    const { status, stdout, stderr } = checkRooms(houseRoot);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const rooms = [...stdout.matchAll(/^ *(\d+) files +\d+ imports {2}(.+)$/gm)].map(([, files, room]) => ({
      room,
      seen: Number(files) > 0,
    }));
    // `test` may import anything: it is the one room without a rule to break.
    const ruled = new Set(breaches.map(([, , room]) => room)).add('test');
    expect(new Set(rooms.map(({ room }) => room))).toEqual(ruled);
    expect(rooms.filter(({ seen }) => !seen)).toEqual([]);
  });

  it('reveal every planted breach, and nothing else', () => {
    const sources = new Map<string, string[]>();
    for (const [file, imports] of [...breaches, ...backwards])
      sources.set(file, [...(sources.get(file) ?? []), imports]);
    for (const [file, imports] of sources) {
      // Every way to import a module, and words in a comment and a text that import none.
      const lines = imports.flatMap((name, index) => [
        [`import type { Planted } from '${name}';`, `export * from '${name}';`, `await import('${name}');`][
          index % 3
        ],
        `// import '#apps/none.js';`,
        `const text = "import '#apps/none.js'";`,
        `import '#kernel/values/json.js';`,
      ]);
      const known = lines.filter((line) => !KNOWS_NO_KERNEL.test(file) || !line?.includes('#kernel'));
      plant(folder, [[file, known.join('\n')]]);
    }
    plant(folder, [
      ['libs/kernel/values/planted.spec.ts', `import 'fast-check';`],
      ['libs/attic/planted.ts', ''],
    ]);
    const { status, stderr } = checkRooms(folder);
    expect(status).toBe(1);
    expect(stderr.trim().split('\n').sort()).toEqual(
      [
        ...breaches.map(
          ([file, imports, room]) => `${file} imports ${imports}: not allowed in the room "${room}"`,
        ),
        ...backwards.map(
          ([file, imports]) => `${file} imports ${imports}: against the order of the features`,
        ),
        'libs/attic/planted.ts is in no room',
        'no file was found in the room "test"',
      ].sort(),
    );
  });

  it('reveal a permission that no file of a room needs, and a set of them as one', () => {
    const own = mkdtempSync(join(tmpdir(), 'rooms-own-'));
    const table = `const SET = ['libs/a/*', 'libs/b/*'];
       export const permissionSets = [SET];
       export const forSpecs = [];
       export const rooms = [
         { name: 'first', folder: 'libs/a', may: ['libs/a/*'], packages: ['node:fs', 'node:os'], specs: ['libs/b/own.ts'] },
         { name: 'second', folder: 'libs/b', may: [...SET, 'libs/c/*'] },
         { name: 'tools', folder: 'tools', packages: ['expect'] },
       ];`;
    plant(own, [
      ['tools/rooms.mjs', table],
      ['libs/a/own.ts', `import 'node:fs';\nimport './other.js';`],
      ['libs/b/own.ts', `import '../a/own.js';`],
    ]);
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
