// Results of earlier runs, as JSON files in `.cache/`, and the digests that they are stored under.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { house } from './source-imports.mjs';

/** The content of a file in `.cache/`; empty if there is none that can be read. */
export function readKept(name) {
  try {
    return JSON.parse(readFileSync(join(house, '.cache', name), 'utf8'));
  } catch {
    return {};
  }
}

export function writeKept(name, content) {
  const file = join(house, '.cache', name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(content));
}

export function digest(parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex').slice(0, 32);
}
