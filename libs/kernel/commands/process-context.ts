import type { CommandContext } from './decider.js';

/** The context of a command that a process sends on its own account: no request or event is at its root. */
export const processContext = (
  process: string,
  workspaceId: number | null,
  commandId: string,
): CommandContext => ({
  commandId,
  actor: { kind: 'process', id: process },
  workspaceId,
  correlationId: commandId,
});
