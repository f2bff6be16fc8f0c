import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { digest } from './kept-file.mjs';
import { house } from './source-imports.mjs';
import { filesOfTree } from './tree-files.mjs';

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

function textOnDisk(file) {
  try {
    return readFileSync(join(house, file));
  } catch (error) {
    // A dangling link, or a file that was removed meanwhile.
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}
