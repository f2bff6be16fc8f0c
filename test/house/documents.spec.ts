import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { houseRoot } from './house.js';

const textOf = (file: string): string => readFileSync(join(houseRoot, file), 'utf8');

describe('docs/projections.md', () => {
  it('shows files that are compiled and tested, letter by letter', () => {
    const shown = [
      ...textOf('docs/projections.md').matchAll(/`projections\/(\S+)`\n\n```ts\n([^]*?)```/g),
    ].map(([, path = '', code = '']) => ({ file: path.split('/').at(-1), code }));
    expect(shown.map(({ file }) => file)).toEqual(['credit-grants.projection.ts', 'credit-grants.spec.ts']);
    for (const { file, code } of shown) expect(code).toBe(textOf(`test/projections/example/${file}`));
  });
});
