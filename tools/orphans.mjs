import { BOUND } from './bundle.mjs';

/**
 * The files in `dist/` whose source no longer exists. Bundled files have no source of their own and stay.
 *
 * files      paths below `dist/`
 * hasSource  whether a path below the root exists
 */
export function orphansOf(files, hasSource) {
  return files.filter((file) => {
    if (BOUND.includes(file.split(/[/\\]/)[0])) return false;
    const source = /^(?<stem>.*)\.js(\.map)?$/.exec(file)?.groups?.stem;
    return source !== undefined && !hasSource(`${source}.ts`);
  });
}
