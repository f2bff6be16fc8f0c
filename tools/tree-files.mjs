import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { house } from './source-imports.mjs';

const NOT_OURS = new Set(['.git', 'node_modules', 'dist', 'data', 'coverage', '.cache', 'clients']);

/** All files of the tree, without generated and downloaded ones; as paths from the root. */
export function filesOfTree() {
  const below = readdirSync(house, { withFileTypes: true }).filter(({ name }) => !NOT_OURS.has(name));
  return below.flatMap((entry) =>
    entry.isDirectory()
      ? readdirSync(join(house, entry.name), { recursive: true, withFileTypes: true })
          .filter((file) => !file.isDirectory())
          .map((file) => join(file.parentPath, file.name).slice(house.length + 1))
      : [entry.name],
  );
}
