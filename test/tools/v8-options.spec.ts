import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { houseRoot } from '../house/house.js';

const { knownToV8 } = (await import(pathToFileURL(join(houseRoot, 'tools/jest/v8-options.mjs')).href)) as {
  readonly knownToV8: (options: readonly string[]) => readonly string[];
};

describe('the options of V8 with which spec files run', () => {
  it('leave out what V8 of this Node.js does not have, with which no process would start', () => {
    expect(knownToV8(['--single-threaded-gc', '--no-such-budget=7', '--max-semi-space-size=32'])).toEqual([
      '--single-threaded-gc',
      '--max-semi-space-size=32',
    ]);
  });

  it('are not taken for another that begins with the same words', () => {
    expect(knownToV8(['--max-semi=32'])).toEqual([]);
  });
});
