import { accessSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** Three files at a time keep less than half of it there. */
const NEEDED_BYTES = 1024 ** 3;
/** Short: Chromium puts sockets below it, whose paths may have 107 characters. */
const PREFIX = 'ledger-specs-';

/**
 * Where spec files keep their stores: each process of a run has a folder of its own (`folder`), and what its files left
 * there is removed when it has ended (`removeFolder`). Where the system has a file system in memory with enough room it stands
 * there: a commit of SQLite waits for no disk. What a test kills is a process, so that memory shows the same as a disk.
 * `TMPDIR` chooses another place.
 */
export function temporaryFolders() {
  const parent = isRoomy(MEMORY) ? MEMORY : tmpdir();
  removeLeftovers(parent);
  const path = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
  const remove = () => removeAsFarAsPossible(path);
  process.once('exit', remove);
  return {
    folder: () => mkdtempSync(join(path, 's-')),
    removeFolder: removeAsFarAsPossible,
    removeAll() {
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
    if (pid !== undefined && !isAlive(Number(pid))) removeAsFarAsPossible(join(parent, name));
  }
}

/** A folder of another user, or one that a process still writes to, stays: no test depends on it. */
function removeAsFarAsPossible(folder) {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // The next run tries again.
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
