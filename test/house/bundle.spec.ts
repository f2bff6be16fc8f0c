import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { houseRoot, sourceFiles } from './house.js';

const { orphansOf } = (await import(pathToFileURL(join(houseRoot, 'tools/orphans.mjs')).href)) as {
  readonly orphansOf: (files: readonly string[], hasSource: (file: string) => boolean) => readonly string[];
};

// The build bundles what `npm start`, the command line and the image run into a few files.

const folder = join(houseRoot, 'dist/bundle');
const programs = join(folder, 'programs.cjs');
const NAMES = ['api', 'cli', 'worker'];
const THREAD = 'due-work';

/** Runs a module with plain options of V8: this process has other ones. */
function printed(module: string): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', module], {
    encoding: 'utf8',
    cwd: houseRoot,
  });
  expect([status, stderr]).toEqual([0, '']);
  return stdout.trim();
}

// Watch mode has no bundle.
(process.env['TEST_WITHOUT_BUNDLE'] === '1' ? describe.skip : describe)('the bundle', () => {
  it.each(NAMES)('has the program %s, which its main runs', (name) => {
    const main = readFileSync(join(houseRoot, `dist/apps/${name}/src/main.js`), 'utf8');
    expect(main).toContain(`runBundled('${name}', () => import('./run.js'))`);
  });

  it.each([...NAMES, THREAD])('has compiled code of %s, which V8 takes', (name) => {
    const taken = printed(`
      import { bundledScript, programsOf, setOptions } from '#runtime/bundled-script.js';
      setOptions();
      const file = ${JSON.stringify(programs)};
      const { script } = bundledScript(file, '${name}');
      console.log(script.cachedDataRejected, typeof programsOf(script, file)['${name}']);`);
    expect(taken).toBe('false function');
  });

  it('is strict, as modules are', () => {
    const [, beginning = ''] =
      /^\/\*\w+\*\/\(function \([^)]*\) \{ ([^;]+);/.exec(readFileSync(programs, 'utf8')) ?? [];
    expect(beginning).toBe('"use strict"');
  });

  it('is ASCII, so that each character takes one byte of memory', () => {
    expect(readFileSync(programs).every((byte) => byte < 0x80)).toBe(true);
  });

  it('has every thread, so that none loads its modules one by one', () => {
    const threads = ['apps', 'libs', 'projections'].flatMap((room) =>
      sourceFiles(room).filter((file) => file.endsWith('.worker.ts')),
    );
    expect(threads.length).toBeGreaterThan(1);
    const missing = threads.filter(
      (thread) =>
        !existsSync(join(folder, basename(thread).replace(/\.ts$/, '.js'))) &&
        !readFileSync(thread, 'utf8').includes(`runBundled('${THREAD}',`),
    );
    expect(missing).toEqual([]);
  });

  it('begins the stack of an error of Node with its code, as Node does', () => {
    const [plain, named] = [
      printed('try { Buffer.from(5); } catch (error) { console.log(error.stack); }'),
      printed(`
        import { nameSourceLines } from '#runtime/source-lines.js';
        nameSourceLines('programs.cjs', '${programs}');
        try { Buffer.from(5); } catch (error) { console.log(error.stack); }`),
    ].map((stack) => stack.split('\n')[0]);
    expect(plain).toMatch(/^TypeError \[ERR_INVALID_ARG_TYPE\]: /);
    expect(named).toBe(plain);
  });

  it('names the lines of the TypeScript source in stacks', () => {
    const source = 'libs/runtime/do-due-work.ts';
    const statement = 'const { turns, commitsBeside }';
    const lines = readFileSync(join(houseRoot, source), 'utf8').split('\n');
    const line = lines.findIndex((one) => one.includes(statement)) + 1;
    expect(line).toBeGreaterThan(0);
    // Outside of a thread there is nothing to take apart.
    const stack = printed(`
      import { runBundled } from '#runtime/run-bundled.js';
      await runBundled('${THREAD}').catch((error) => console.log(error.stack));`);
    expect(stack).toMatch(/^TypeError: Cannot destructure property 'turns'/);
    expect(stack).toContain(` (${join(houseRoot, source)}:${line}:`);
  });

  it('reads no map for the stack of an error without a message, as packages make them for each call', () => {
    // A line far below the beginning of the script: the map names a source for it, of the project or of a package.
    const stacks = printed(`
      import { runInThisContext } from 'node:vm';
      import { nameSourceLines } from '#runtime/source-lines.js';
      nameSourceLines('programs.cjs', '${programs}');
      const made = runInThisContext('(message) => new Error(message).stack', { filename: 'programs.cjs', lineOffset: 20_000 });
      console.log(JSON.stringify([made(''), made('with a message')]));`);
    const [without, withMessage] = JSON.parse(stacks) as readonly string[];
    expect(without).toContain('programs.cjs:20001:');
    expect(withMessage).not.toContain('programs.cjs:20001:');
    expect(withMessage).toMatch(/\.[jt]s:\d+:\d+/);
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
