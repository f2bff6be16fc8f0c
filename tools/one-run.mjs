import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from './jest/temporary-folders.mjs';

/**
 * Notes that this process runs the tests of a checkout, until it ends. Two runs at a time would replace files that the
 * other one reads: the compiled code, and the bundles of programs and specs.
 *
 * Returns the id of another process that runs them; null if there is none. Two that begin at the same moment find each
 * other.
 */
export function otherRun(root) {
  const folder = join(root, '.cache/test-runs');
  mkdirSync(folder, { recursive: true });
  const own = join(folder, String(process.pid));
  writeFileSync(own, '');
  process.once('exit', () => rmSync(own, { force: true }));
  const others = readdirSync(folder)
    .map(Number)
    .filter((pid) => pid !== process.pid);
  for (const pid of others) {
    if (isAlive(pid)) return pid;
    rmSync(join(folder, String(pid)), { force: true });
  }
  return null;
}
