import { accessSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** Four files at a time need less than half of it. */
const NEEDED_BYTES = 1024 ** 3;
/** Short: Chromium creates sockets below it, whose paths are limited to 107 characters. */
const PREFIX = 'ledger-specs-';

/**
 * The folders of spec files' stores: each process of a run has its own (`folder`), and its contents are removed when
 * it has ended (`removeFolder`). If the system has a memory file system with enough room it is used, so that commits
 * of SQLite do not wait for a disk. Tests kill processes, so memory is as durable as a disk for them. `TMPDIR`
 * selects another place.
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

/** Removes the folders of a killed run, which would fill the memory. */
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
