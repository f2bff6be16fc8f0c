import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { houseRoot, sourceFiles } from './house.js';

const { orphansOf } = (await import(pathToFileURL(join(houseRoot, 'tools/orphans.mjs')).href)) as {
  readonly orphansOf: (files: readonly string[], hasSource: (file: string) => boolean) => readonly string[];
};

// The build binds what `npm start`, the command line and the image run into a few files.

const folder = join(houseRoot, 'dist/bundle');
const PROGRAMS = ['api', 'cli', 'worker'];

/** The line of a bound file that contains a text, and the source that its map names for it. */
function sourceOf(text: string): string | null {
  const [file = ''] = readdirSync(folder).filter(
    (name) => name.endsWith('.js') && readFileSync(join(folder, name), 'utf8').includes(text),
  );
  const lines = readFileSync(join(folder, file), 'utf8').split('\n');
  const map = new SourceMap(JSON.parse(readFileSync(join(folder, `${file}.map`), 'utf8')));
  const line = lines.findIndex((one) => one.includes(text));
  const entry = map.findEntry(line, lines[line]?.indexOf(text) ?? 0);
  return 'originalSource' in entry ? `${entry.originalSource}:${entry.originalLine + 1}` : null;
}

// Watch mode has no bundle.
(process.env['TEST_WITHOUT_BUNDLE'] === '1' ? describe.skip : describe)('the bundle', () => {
  it.each(PROGRAMS)('has the program %s, which its main runs', (name) => {
    expect(existsSync(join(folder, `${name}.js`))).toBe(true);
    const main = readFileSync(join(houseRoot, `dist/apps/${name}/src/main.js`), 'utf8');
    expect(main).toContain(`runBundled('${name}', () => import('./run.js'))`);
  });

  it('has every thread, so that none loads its modules one by one', () => {
    const threads = ['apps', 'libs', 'projections'].flatMap((room) =>
      sourceFiles(room).filter((file) => file.endsWith('.worker.ts')),
    );
    expect(threads.length).toBeGreaterThan(1);
    const missing = threads.filter(
      (thread) => !existsSync(join(folder, basename(thread).replace(/\.ts$/, '.js'))),
    );
    expect(missing).toEqual([]);
  });

  it('maps back to the lines of the TypeScript source', () => {
    const text = 'a port number from 0 to 65535';
    const source = 'libs/runtime/settings.ts';
    const lines = readFileSync(join(houseRoot, source), 'utf8').split('\n');
    const line = lines.findIndex((one) => one.includes(text)) + 1;
    expect(line).toBeGreaterThan(0);
    expect(sourceOf(text)).toMatch(new RegExp(`/${source}:${line}$`));
  });
});

it('stays in place when a build removes compiled files without a source', () => {
  const bound = [
    'bundle/api.js',
    'bundle/api.js.map',
    '.bundle/api.js',
    'bound-specs/one.js',
    'jest-parts.js',
  ];
  const compiled = ['libs/here.js', 'libs/here.js.map', 'libs/gone.js', 'libs/gone.js.map', '.built'];
  expect(orphansOf([...bound, ...compiled], (source) => source === 'libs/here.ts')).toEqual([
    'libs/gone.js',
    'libs/gone.js.map',
  ]);
});
