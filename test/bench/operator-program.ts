import type { Child } from '../support/child-process.js';
import { runCli } from '../support/cli.js';

/** The command line in a process of its own, on the stores in this folder. */
export const runOperator = (folder: string, ...args: readonly string[]): Child =>
  runCli([...args, '--json'], `export NODE_ENV=production DATA_DIR='${folder}'`);

/** Its answer as JSON. Throws if it fails. */
export async function answerOf(child: Child): Promise<string> {
  const code = await child.ended;
  if (code !== 0) throw new Error(`the command ended with ${code}: ${child.errors()}`);
  return child.lines().join('\n');
}
