import { execFileSync } from 'node:child_process';

/** The options that V8 of this Node.js has. Its versions differ in them, and with an unknown one no process starts. */
export function knownToV8(options) {
  const listed = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  return options.filter((option) => listed.includes(`${option.split('=')[0]} (`));
}
