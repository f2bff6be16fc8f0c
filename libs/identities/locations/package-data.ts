import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);

/** A JSON file of a package, parsed and not kept: only what is made of it stays in memory. */
export function packageData(file: string): unknown {
  return JSON.parse(readFileSync(resolve(file), 'utf8'));
}
