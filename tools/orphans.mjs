import { BOUND } from './bundle.mjs';

/**
 * Which of the files in `dist/` were compiled from a source that is gone. What is bound has no source of its own and
 * stays.
 *
 * files      paths below `dist/`
 * hasSource  whether a path below the root is there
 */
export function orphansOf(files, hasSource) {
  return files.filter((file) => {
    if (BOUND.includes(file.split(/[/\\]/)[0])) return false;
    const source = /^(?<stem>.*)\.js(\.map)?$/.exec(file)?.groups?.stem;
    return source !== undefined && !hasSource(`${source}.ts`);
  });
}
