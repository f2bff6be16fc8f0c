import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

export type PostgresServer = {
  readonly version: string;
  readonly pool: (connections: number) => pg.Pool;
  readonly stop: () => Promise<void>;
};

const START_PATIENCE_MS = 30_000;

/** The folder of the system's PostgreSQL programs, the newest if there are several; null without one. */
export function findPostgres(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(':'),
  ];
  return (
    folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'))) ??
    null
  );
}

/**
 * A temporary cluster in the folder, with default durability (fsync and synchronous commit on), reached by a socket
 * only. PostgreSQL does not run as root, so root starts it as the user `postgres`.
 */
export async function startPostgres(programs: string, folder: string): Promise<PostgresServer> {
  const data = join(folder, 'cluster');
  mkdirSync(data);
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  if (user.uid !== undefined) {
    chownSync(folder, user.uid, user.gid);
    chownSync(data, user.uid, user.gid);
  }
  const options = { ...user, cwd: folder, env: { PATH: process.env['PATH'], LC_ALL: 'C' } };
  const initialise = ['-D', data, '-U', 'ledger', '--auth=trust', '--encoding=UTF8'];
  execFileSync(join(programs, 'initdb'), initialise, { ...options, stdio: 'ignore' });
  const settings = ['listen_addresses=', 'fsync=on', 'synchronous_commit=on', 'max_connections=100'];
  const server = spawn(
    join(programs, 'postgres'),
    ['-D', data, '-k', folder, ...settings.flatMap((setting) => ['-c', setting])],
    { ...options, stdio: 'ignore' },
  );
  const ended = once(server, 'exit');
  const pool = (connections: number): pg.Pool => {
    const connected = new pg.Pool({ host: folder, user: 'ledger', database: 'postgres', max: connections });
    // Idle connections report the stop of the server; a statement that meets it rejects by itself.
    connected.on('error', () => {});
    return connected;
  };
  const stop = async (): Promise<void> => {
    server.kill('SIGINT');
    await ended;
  };
  const deadline = Date.now() + START_PATIENCE_MS;
  for (;;) {
    const first = pool(1);
    try {
      const { rows } = await first.query<{ server_version: string }>('SHOW server_version');
      return { version: rows[0]?.server_version ?? '', pool, stop };
    } catch (error) {
      if (Date.now() > deadline || server.exitCode !== null) {
        await stop();
        throw error;
      }
      await pause(100);
    } finally {
      await first.end();
    }
  }
}

function idOf(which: '-u' | '-g'): number {
  return Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }));
}
