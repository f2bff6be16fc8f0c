import { fileURLToPath } from 'node:url';
import { runScript, type Child } from './child-process.js';

/** The program of the command line. */
export const CLI = fileURLToPath(new URL('../../apps/cli/src/main.js', import.meta.url));

/** Starts the command line; `settings` are shell commands before it. */
export const runCli = (args: readonly string[], settings?: string): Child =>
  runScript('../../apps/cli/src/main.js', args, settings);

/** The end of a run of the command line: its exit code, the lines of its output and its text on standard error. */
export type EndedCli = {
  readonly code: number | null;
  readonly lines: readonly string[];
  readonly errors: string;
};

/** Settings of a command line that works on a data directory, without a service of this environment. */
export const onData = (directory: string): string =>
  `unset PORT OPS_PORT OPS_TOKEN; export DATA_DIR='${directory}'`;

/** Runs the command line to its end; `settings` are shell commands before it. */
export async function endedCli(args: readonly string[], settings: string): Promise<EndedCli> {
  const child = runCli(args, settings);
  const code = await child.ended;
  return { code, lines: child.lines(), errors: child.errors() };
}

/** The answer of a run with --json: its only line, with nothing on standard error. */
// The shape is what the test asserts.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export function jsonOf({ code, lines, errors }: EndedCli, expectedCode = 0): any {
  expect([code, lines.length, errors]).toEqual([expectedCode, 1, '']);
  return JSON.parse(lines[0] ?? '');
}
