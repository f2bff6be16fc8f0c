import { accessSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** A run keeps some 400 MB there at its height. */
const NEEDED_BYTES = 2 * 1024 ** 3;
const PREFIX = 'signal-ledger-specs-';

/**
 * The folder that spec files keep their stores in. Where the system has a file system in memory with enough room it stands
 * there: a commit of SQLite waits for no disk. What a test kills is a process, so that memory shows the same as a disk.
 * `TMPDIR` chooses another place.
 */
export function temporaryFolder() {
  const parent = isRoomy(MEMORY) ? MEMORY : tmpdir();
  removeLeftovers(parent);
  const path = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
  const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  process.once('exit', remove);
  return {
    path,
    remove() {
      process.off('exit', remove);
      remove();
    },
  };
}

function isRoomy(folder) {
  if (process.env.TMPDIR !== undefined) return false;
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= NEEDED_BYTES;
  } catch {
    return false;
  }
}

/** What a run that was killed could not remove: it would fill the memory. */
function removeLeftovers(parent) {
  for (const name of readdirSync(parent)) {
    const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid)))
      rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
