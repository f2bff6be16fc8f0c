import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectNone } from './expect-none.js';
import { houseRoot, sourceFiles } from './house.js';

const read = (file: string): string => readFileSync(join(houseRoot, file), 'utf8');

/** Titles of all tests as written in the sources, with `…` for filled-in parts. */
function titlesOfTests(): ReadonlySet<string> {
  const title = /\b(?:it|describe)\(\s*(?:'((?:\\.|[^'\\])*)'|`((?:\\.|[^`\\])*)`)/g;
  return new Set(
    ['test', 'libs', 'projections', 'apps']
      .flatMap((room) => sourceFiles(room))
      .filter((file) => /\.(spec|contract)\.ts$/.test(file) || file.startsWith('test/'))
      .flatMap((file) => [...read(file).matchAll(title)])
      .map(([, plain, template]) => (plain ?? template ?? '').replaceAll(/\$\{[^}]*\}/g, '…')),
  );
}

describe('docs/stores.md', () => {
  const sections = read('docs/stores.md')
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      name: section.slice(0, section.indexOf('\n')),
      // A line of the list with the tests below it.
      lines: section.split(/^- /m).slice(1),
    }));
  const testsOf = (line: string): readonly string[] =>
    [...line.matchAll(/^ {2}- `(.+)`$/gm)].map(([, title]) => title ?? '');

  it('has a section for each store, and names a test for each of its lines', () => {
    expect(sections.map(({ name }) => name.split(/[ ,]/)[0])).toEqual(['EventStoreDB', 'MongoDB', 'SQLite']);
    for (const { name, lines } of sections) {
      expect([name, lines.length >= 10]).toEqual([name, true]);
      expectNone(
        lines.filter((line) => testsOf(line).length === 0),
        'name the test that proves each of these lines of docs/stores.md',
      );
    }
  });

  it('names no test that does not exist', () => {
    const titles = titlesOfTests();
    expect(titles.size).toBeGreaterThan(500);
    const named = sections.flatMap(({ lines }) => lines).flatMap(testsOf);
    expect(named.length).toBeGreaterThan(80);
    expectNone(
      named.filter((title) => !titles.has(title)),
      'docs/stores.md names tests that are not there: correct the titles',
    );
  });
});
