// Resolves the specifier of an import to a file, for the checks of rooms and exports.
import { readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const house = dirname(dirname(fileURLToPath(import.meta.url)));
const { imports: subpaths } = JSON.parse(readFileSync(join(house, 'package.json'), 'utf8'));

/** The target of an import: a source file, as a path from the root, or a package. */
export function resolveImport(file, specifier) {
  if (specifier.startsWith('.')) return sourceFile(posix.join(posix.dirname(file), specifier));
  for (const [subpath, target] of Object.entries(subpaths)) {
    const prefix = subpath.replace('*', '');
    if (subpath.endsWith('*') && specifier.startsWith(prefix)) {
      const folder = target.source.replace('./', '').replace('*', '');
      return sourceFile(posix.normalize(folder + specifier.slice(prefix.length)));
    }
  }
  return { path: specifier, isPackage: true };
}

function sourceFile(path) {
  return { path: path.replace(/\.js$/, '.ts'), isPackage: false };
}
