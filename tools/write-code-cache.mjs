// Writes V8's compiled code of a program of the bundle next to it: `write-code-cache.mjs dist/bundle/programs.cjs api`. The build calls it.
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { endWithHelp } from './help.mjs';

endWithHelp(import.meta.url);

const [file, name] = process.argv.slice(2);
const { bundledScript, codeCacheOf, programsOf, setOptions } =
  await import('../dist/libs/runtime/bundled-script.js');
setOptions();
const cache = codeCacheOf(file, name);
rmSync(cache, { force: true });
const script = bundledScript(file, cache);
// Loading the program compiles the code that a start needs; nothing is run.
await programsOf(script, file)[name]();
writeFileSync(cache, script.createCachedData());
// Packages may have timers.
process.exit();
