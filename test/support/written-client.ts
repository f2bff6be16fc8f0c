import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { houseRoot } from '#test/house/house.js';

const { resolve } = createRequire(import.meta.url);
const compiler = join(dirname(resolve('typescript-native/package.json')), 'bin/tsc');
const STRICT = ['--ignoreConfig', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'ES2023'];
const LIBRARIES = ['--lib', 'ES2023,DOM,DOM.AsyncIterable', '--types', 'node'];

/** An external folder, with the packed client of this API as its one installed package. */
export type ClientFolder = {
  /** Files of the package, as npm packed them. */
  readonly packed: readonly string[];
  /** Compiles a program under strict rules, runs it with these arguments, and returns its output. */
  readonly run: (name: string, program: string, words: readonly string[]) => Promise<string>;
  readonly remove: () => void;
};

/** Writes the client, packs it with npm, and unpacks it into the folder for packages. */
export async function installedClient(): Promise<ClientFolder> {
  const folder = join(houseRoot, '.cache', `client-${process.pid}`);
  rmSync(folder, { recursive: true, force: true });
  const written = join(folder, 'written');
  const installed = join(folder, 'node_modules/signal-ledger-client');
  mkdirSync(installed, { recursive: true });
  await output(process.execPath, [join(houseRoot, 'tools/write-client.mjs'), written]);
  await output(
    'npm',
    ['pack', written, '--pack-destination', folder, '--ignore-scripts', '--offline'],
    folder,
  );
  const archive = readdirSync(folder).find((file) => file.endsWith('.tgz'));
  if (archive === undefined) throw new Error('npm packed nothing');
  const listed = await output('tar', [
    '-xzvf',
    join(folder, archive),
    '-C',
    installed,
    '--strip-components=1',
  ]);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  return {
    packed: listed
      .trim()
      .split('\n')
      .map((file) => file.replace(/^package\//, ''))
      .sort(),
    run: async (name, program, words) => {
      writeFileSync(join(folder, `${name}.ts`), program);
      await output(process.execPath, [compiler, ...STRICT, ...LIBRARIES, join(folder, `${name}.ts`)]);
      return output(process.execPath, [join(folder, `${name}.js`), ...words]);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The output of a program; throws with its output if it fails. */
export async function output(
  program: string,
  words: readonly string[],
  cwd = houseRoot,
  environment: { readonly [name: string]: string } = {},
): Promise<string> {
  const child = spawn(program, [...words], { cwd, env: { ...process.env, ...environment } });
  let printed = '';
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const status = await new Promise((done, fail) => child.on('close', done).on('error', fail));
  if (status !== 0)
    throw new Error(`${[program, ...words].join(' ')} ended with ${String(status)}\n${printed}\n${said}`);
  return printed;
}
