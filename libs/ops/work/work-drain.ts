import { Type } from '#kernel/values/schema.js';
import { refusal } from '#kernel/values/refusal.js';
import { operatorCommand, type OperatorWork } from '../support/operator-command.js';

const workStaysDue = refusal({
  code: 'work-stays-due',
  kind: 'conflicting',
  detail: 'Nothing has changed for a minute, and work is still due.',
});

/** Waits until no due work is left. Throws `workStaysDue` if nobody does it. */
export async function drained(work: OperatorWork): Promise<{ readonly processed: number }> {
  const { processed, stillDue } = await work.drain();
  if (stillDue === undefined) return { processed };
  const detail =
    `Nothing has changed for a minute, and this work is still due: ${stillDue.join(', ')}. ` +
    'It fails, as the log says then, or stays due by itself, or the clock of its worker is behind.';
  throw workStaysDue({ detail, members: { still_due: stillDue } });
}

export const workDrain = operatorCommand({
  name: 'work.drain',
  summary: 'Wait until no due background work is left',
  doesDueWork: true,
  input: Type.Object({}),
  output: Type.Object({ processed: Type.Integer() }),
  run: ({ work }) => drained(work),
});
