import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { house } from './source-imports.mjs';
import { filesOfTree } from './tree-files.mjs';

const KEPT = join(house, '.cache/check.json');
/** The packages that `npm` has installed; they differ from the lock file if another version was tried. */
const INSTALLED = 'node_modules/.package-lock.json';

/**
 * The key of what the result of a step of `npm run check` depends on: the version of Node.js, the installed packages,
 * and the name and text of every file of the tree. A step that reads `code` reads and imports no `*.spec.ts`: its key
 * is that of the other files.
 *
 * Returns a function from what a step reads, `tree` or `code`, to its key.
 */
export function stepKeys(files = filesOfTree(), textOf = textOnDisk) {
  const texts = [...files].sort().map((file) => [file, digest([textOf(file)])]);
  const common = [process.version, process.platform, process.arch, textOf(INSTALLED)];
  const keyOf = (some) => digest([...common, ...some.flat()]);
  const keys = {
    tree: keyOf(texts),
    code: keyOf(texts.filter(([file]) => !file.endsWith('.spec.ts'))),
  };
  return (reads) => keys[reads];
}

/** The key with which each step last passed, by name; empty if nothing is stored. */
export function readPassed() {
  try {
    return JSON.parse(readFileSync(KEPT, 'utf8'));
  } catch {
    return {};
  }
}

export function writePassed(passed) {
  mkdirSync(dirname(KEPT), { recursive: true });
  writeFileSync(KEPT, `${JSON.stringify(passed, null, 2)}\n`);
}

function textOnDisk(file) {
  try {
    return readFileSync(join(house, file));
  } catch (error) {
    // A dangling link, or a file that was removed meanwhile.
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}

function digest(parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex').slice(0, 32);
}
