import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);

/** A parsed JSON file of a package. It is not cached: only the result of the caller stays in memory. */
export function packageData(file: string): unknown {
  return JSON.parse(readFileSync(resolve(file), 'utf8'));
}
