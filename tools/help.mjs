// Prints the comment at the top of a script as its `--help`.
import { readFileSync } from 'node:fs';

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
