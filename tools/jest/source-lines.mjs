import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const PLACE = /(file:\/\/)?(\/[^\s():'"]+\.m?js):(\d+):(\d+)/g;

/** By compiled file; null for a file without a source map. */
const maps = new Map();

/**
 * Replaces positions in compiled files by those in their sources. Node could do this itself (`--enable-source-maps`),
 * but then each process parses the maps of all its files, although few tests fail.
 */
export function withSourceLines(text) {
  return text.replaceAll(PLACE, (place, scheme = '', path, line, column) => {
    const file = scheme === '' ? path : fileURLToPath(scheme + path);
    const entry = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (entry?.originalSource === undefined) return place;
    const source = resolve(dirname(file), entry.originalSource);
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}

function mapOf(file) {
  let map = maps.get(file);
  if (map === undefined) {
    const path = `${file}.map`;
    map = existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, 'utf8'))) : null;
    maps.set(file, map);
  }
  return map;
}
