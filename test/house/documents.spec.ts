import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectNone } from './expect-none.js';
import { houseRoot } from './house.js';

const textOf = (file: string): string => readFileSync(join(houseRoot, file), 'utf8');

describe('docs/projections.md', () => {
  it('shows files that are compiled and tested, character by character', () => {
    const shown = [
      ...textOf('docs/projections.md').matchAll(/`projections\/(\S+)`\n\n```ts\n([^]*?)```/g),
    ].map(([, path = '', code = '']) => ({ file: path.split('/').at(-1), code }));
    expect(shown.map(({ file }) => file)).toEqual(['credit-grants.projection.ts', 'credit-grants.spec.ts']);
    expectNone(
      shown
        .filter(({ file, code }) => code !== textOf(`test/projections/example/${file}`))
        .map(({ file }) => file),
      'copy these files of test/projections/example into docs/projections.md again',
    );
  });
});

describe('README.md', () => {
  const lines = textOf('README.md').trimEnd().split('\n');

  it('has at most 200 lines', () => {
    expect(lines.length).toBeGreaterThan(100);
    expectNone(lines.slice(200), 'README.md has too many lines: move what is read rarely to a page of docs/');
  });

  it('has no table cell over 120 characters', () => {
    const cells = lines
      .filter((line) => line.startsWith('|'))
      .flatMap((line) => line.split('|').map((cell) => cell.trim()));
    expect(cells.length).toBeGreaterThan(20);
    expectNone(
      cells.filter((cell) => cell.length > 120),
      'shorten these table cells of README.md, or move them to a page of docs/',
    );
  });
});

describe('docs/configuration.md', () => {
  it('names every variable that the settings read', () => {
    const quoted = [...textOf('libs/runtime/settings.ts').matchAll(/'([A-Z]+(?:_[A-Z]+)*)'/g)];
    // NODE_ENV belongs to the test runner and is no setting.
    const read = [...new Set(quoted.map(([, name = '']) => name))].filter((name) => name !== 'NODE_ENV');
    const page = textOf('docs/configuration.md');
    expect(read).toEqual(expect.arrayContaining(['DATA_DIR', 'RATE_LIMIT_RPS', 'ROLES']));
    expectNone(
      read.filter((name) => !page.includes(`\`${name}\``)),
      'describe these variables in docs/configuration.md',
    );
  });
});
