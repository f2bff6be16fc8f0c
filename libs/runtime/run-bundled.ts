import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundledScript, programsOf, SCRIPT_NAME, setOptions, type Program } from './bundled-script.js';
import { nameSourceLines } from './source-lines.js';

const file = fileURLToPath(new URL('../../bundle/programs.cjs', import.meta.url));

/**
 * Runs a program from the bundle of the build, in a fifth of the time of reading its modules one by one; `apart`
 * reads the modules if there is no bundle.
 */
export async function runBundled(name: string, apart: () => Promise<Program>): Promise<void> {
  setOptions();
  const program = existsSync(file) ? await bundled(name) : await apart();
  await program.run();
}

async function bundled(name: string): Promise<Program> {
  nameSourceLines(SCRIPT_NAME, file);
  const load = programsOf(bundledScript(file, name).script, file)[name];
  if (load === undefined) throw new Error(`the bundle has no program ${name}`);
  return load();
}
