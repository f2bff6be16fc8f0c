import type { CommandContext } from './decider.js';

/**
 * The context of a command that a process sends on its own account: no request or event is at its root. `work` names the
 * piece of work, so that the same step of the same work has the same command id; without a step the work is one command.
 */
export const processContext = (
  process: string,
  workspaceId: number | null,
  work: string,
  step?: string,
): CommandContext => ({
  commandId: step === undefined ? work : `${work}:${step}`,
  actor: { kind: 'process', id: process },
  workspaceId,
  correlationId: work,
});
