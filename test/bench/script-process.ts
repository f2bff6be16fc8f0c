import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Runs a script of this folder in a separate process, so that its cost does not count for this one, and resolves with the message
 * that it sends. It gets `order` as a message, if there is one.
 */
export function answerOf<Answer>(
  script: string,
  environment: { readonly [variable: string]: string } = {},
  order?: object,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(new URL(script, import.meta.url)), {
      env: { ...process.env, ...environment },
    });
    child.once('message', (answer) => resolve(answer as Answer));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)));
    if (order !== undefined) child.send(order);
  });
}
