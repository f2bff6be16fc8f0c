import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export type Child = {
  readonly process: ChildProcess;
  readonly lines: () => readonly string[];
  readonly errors: () => string;
  /** Resolves when the output holds this many lines. */
  readonly printed: (count: number) => Promise<void>;
  /** Resolves with the exit code (null after a signal) when the output is complete. */
  readonly ended: Promise<number | null>;
};

/** The progress output of a program that takes longer than some seconds, and nothing else. */
export const ONLY_PROGRESS = /^(\d+ of \d+ \(.*\n)*$/;

const INTERRUPT_BUDGET = '--interrupt-budget';

/** Options of V8 for a short process such as a spec file. Those of memory are left out: some tests measure memory. */
const shortLived: readonly string[] = process.execArgv.filter((option) => !option.includes('semi-space'));

const isOptimisedLater = (option: string): boolean => option.startsWith(INTERRUPT_BUDGET);

/**
 * The same for a program of the bundle. V8 takes its cached code only if it was compiled with the same options of optimisation, so they
 * are set afterwards. A benchmark has no such options: its programs run as they do for a user.
 */
export const ofPrograms: readonly string[] = [
  ...shortLived.filter((option) => !isOptimisedLater(option)),
  ...(shortLived.some(isOptimisedLater)
    ? [`--import=${new URL('./optimise-later.js', import.meta.url).href}`]
    : []),
];

/** Runs a compiled script of test/support, or a program, in a separate process; `limits` are shell commands before it. */
export function runScript(script: string, args: readonly string[], limits = 'true'): Child {
  const file = fileURLToPath(new URL(script, import.meta.url));
  const options = script.endsWith('/main.js') ? ofPrograms : shortLived;
  const program = [process.execPath, ...options, file, ...args];
  const child = spawn('/bin/bash', ['-c', `${limits}; exec "$@"`, 'bash', ...program], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const lines = (): readonly string[] => output.split('\n').slice(0, -1);
  const ended = once(child, 'close').then(([code]) => (typeof code === 'number' ? code : null));
  return {
    process: child,
    lines,
    errors: () => errors,
    printed: async (count) => {
      while (lines().length < count) {
        if (child.exitCode !== null) throw new Error(`${script} ended with ${child.exitCode}: ${errors}`);
        await Promise.race([once(child.stdout, 'data'), ended]);
      }
    },
    ended,
  };
}
