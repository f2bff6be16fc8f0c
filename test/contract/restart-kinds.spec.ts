import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { houseRoot } from '#test/house/house.js';
import { restartKinds } from './restart-kinds.js';

const MONGOD = ['mongod', '--port', '{port}', '--dbpath', '{folder}', '--bind_ip', '127.0.0.1'];

describe('kinds of servers that are killed and restarted', () => {
  it('are a standalone mongod and a replica set of one node, with the same command', () => {
    expect(restartKinds(JSON.stringify(MONGOD))).toEqual([
      { title: expect.stringContaining('of the server'), words: MONGOD, replicaSet: null },
      {
        title: expect.stringContaining('of a replica set of one node'),
        words: [...MONGOD, '--replSet', 'restarted'],
        replicaSet: 'restarted',
      },
    ]);
    const elsewhere = ['/opt/mongodb/bin/mongod', '--dbpath', '{folder}'];
    expect(restartKinds(JSON.stringify(elsewhere))).toHaveLength(2);
  });

  it('are one kind if the command names its replica set, or starts another program', () => {
    for (const words of [
      [...MONGOD, '--replSet', 'ours'],
      ['/tmp/ferretdb', '127.0.0.1:{port}', '{folder}'],
      ['docker', 'run', 'mongod', '{folder}'],
    ])
      expect(restartKinds(JSON.stringify(words))).toMatchObject([{ words, replicaSet: null }]);
  });

  it('are none if no data is kept', () => {
    expect(restartKinds(null)).toEqual([]);
    expect(restartKinds(JSON.stringify(['java', 'StartServer', '{port}']))).toEqual([]);
  });
});

describe('tools/test-servers.mjs', () => {
  /** A program with the name of MongoDB, which records how it was started, and ends. */
  function standIn(folder: string): readonly string[] {
    const program = join(folder, 'mongod');
    writeFileSync(program, `#!/bin/sh\necho "$@" >> ${join(folder, 'started')}\nexit 3\n`, { mode: 0o755 });
    return [program, '--port', '{port}', '--dbpath', '{folder}'];
  }

  it('starts a mongod of its own as both kinds for contract/mongo-restart, and names the failed one', () => {
    const folder = mkdtempSync(join(tmpdir(), 'restart-kinds-'));
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(houseRoot, 'tools/test-servers.mjs'), 'contract/mongo-restart'],
      {
        encoding: 'utf8',
        env: {
          PATH: process.env['PATH'],
          TMPDIR: folder,
          TEST_READ_STORE_URL: 'mongodb://127.0.0.1:9/',
          TEST_READ_STORE_COMMAND: JSON.stringify(standIn(folder)),
        },
      },
    );
    const started = readFileSync(join(folder, 'started'), 'utf8').trimEnd().split('\n');
    const left = readdirSync(folder).sort();
    rmSync(folder, { recursive: true, force: true });
    expect(started).toEqual([
      expect.stringMatching(/^--port \d+ --dbpath \S+$/),
      expect.stringMatching(/^--port \d+ --dbpath \S+ --replSet restarted$/),
    ]);
    const failed = [...stderr.matchAll(/^FAILED (.*?) > /gm)].map(([, title]) => title);
    expect(failed).toEqual([
      'MongoDB as read store, over a kill -9 of the server',
      'MongoDB as read store, over a kill -9 of a replica set of one node',
    ]);
    expect(stderr).toContain('the server ended with 3 before it listened');
    expect(stdout).toContain('0 passed, 2 failed');
    expect(status).toBe(1);
    // The folders of the servers' data are removed, although their cases failed.
    expect(left).toEqual(['mongod', 'started']);
  });
});
