import { existsSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { house } from './source-imports.mjs';

const NOT_OURS = new Set(['.git', 'node_modules', 'dist', 'data', 'coverage', '.cache', 'clients']);

/** The wanted files below some folders of a tree, sorted, as paths from its root; a missing folder has none. */
export function filesBelow(root, folders, isWanted) {
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((file) =>
        posix.join(folder, file.replaceAll('\\', '/')),
      ),
    )
    .filter(isWanted)
    .sort();
}

/** The TypeScript and the tools of a tree. */
export function sourceFiles(root) {
  const rooms = ['apps', 'libs', 'projections', 'test', 'tools'];
  return filesBelow(root, rooms, (file) => /\.(ts|mjs)$/.test(file));
}

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
