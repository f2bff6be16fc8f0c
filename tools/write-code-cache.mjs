// Writes V8's compiled code of a program of the bundle next to it: `write-code-cache.mjs dist/bundle/programs.cjs api`. The build calls it.
import { writeFileSync } from 'node:fs';
import { endWithHelp } from './help.mjs';

endWithHelp(import.meta.url);

const [file, name] = process.argv.slice(2);
const { bundledScript, programsOf, setOptions } = await import('../dist/libs/runtime/bundled-script.js');
setOptions();
const { script, codeCache } = bundledScript(file, name);
// Loading the program compiles the code that a start needs; nothing is run.
await programsOf(script, file)[name]();
writeFileSync(codeCache, script.createCachedData());
// Packages may have timers.
process.exit();
