// The arguments of a script: its comment is its `--help`, and a wrong one ends it with one line.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** Prints the help and exits if it is requested, before long work starts. `script` is its `import.meta.url`. */
export function endWithHelp(script) {
  if (!process.argv.slice(2).some((word) => word === '--help' || word === '-h')) return;
  const lines = readFileSync(new URL(script), 'utf8').split('\n');
  const comment = lines.slice(
    0,
    lines.findIndex((line) => !line.startsWith('//')),
  );
  console.log(comment.map((line) => line.replace(/^\/\/ ?/, '')).join('\n'));
  process.exit(0);
}

/** `parseArgs`, but an argument that the script does not take ends it. */
export function argumentsOf(config) {
  try {
    return parseArgs(config);
  } catch (error) {
    if (!String(error.code).startsWith('ERR_PARSE_ARGS_')) throw error;
    return endAsWrongUsage(error.message);
  }
}

export function endAsWrongUsage(message) {
  console.error(message);
  process.exit(2);
}
