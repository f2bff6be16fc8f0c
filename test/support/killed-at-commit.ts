// Loaded before a program (`node --import`): kills it with kill -9 right before or right after commit number KILL_AT
// (0 is the first) of the file of events, and appends the number of commits to COMMITS_FILE if it survives. The
// program gets another COMMIT, since the driver's own cannot be replaced.
import { appendFileSync } from 'node:fs';
import { register, syncBuiltinESMExports, type LoadHook } from 'node:module';
import vm, { Script, type ScriptOptions } from 'node:vm';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';

const { KILL_AT = '', KILL_WHEN = '', COMMITS_FILE = '' } = process.env;
let commits = 0;

function committed(db: DatabaseSyncInstance): void {
  if (db.location()?.endsWith('events.db') !== true) return db.exec('COMMIT');
  const isLast = String(commits) === KILL_AT;
  commits += 1;
  if (isLast && KILL_WHEN === 'before') process.kill(process.pid, 'SIGKILL');
  db.exec('COMMIT');
  if (isLast && KILL_WHEN === 'behind') process.kill(process.pid, 'SIGKILL');
}

/** As written in the module of transactions, and in the bundle. */
const COMMIT = /(\w+)\.exec\((['"])COMMIT\2\)/;

/** The bundled programs are a script. */
class ScriptWithCommit extends Script {
  constructor(source: string, options: ScriptOptions) {
    if (!COMMIT.test(source)) throw new Error('the programs have no COMMIT');
    // The cached code is that of the programs as they are.
    super(source.replace(COMMIT, 'globalThis.committed($1)'), { ...options, cachedData: undefined });
  }
}

/**
 * Programs without a bundle, and bundled threads, are modules. Runs on the thread that loads them, as text: it uses nothing of
 * this module.
 */
const load: LoadHook = async (url, context, next) => {
  const loaded = await next(url, context);
  const commit = /(\w+)\.exec\((['"])COMMIT\2\)/;
  const source = loaded.format === 'module' ? String(loaded.source) : '';
  if (!commit.test(source)) return loaded;
  return { ...loaded, source: source.replace(commit, 'globalThis.committed($1)') };
};

Object.assign(globalThis, { committed });
Object.assign(vm, { Script: ScriptWithCommit });
syncBuiltinESMExports();
register(`data:text/javascript,${encodeURIComponent(`export const load = ${load.toString()};`)}`);
process.on('exit', () => appendFileSync(COMMITS_FILE, `${commits}\n`));
