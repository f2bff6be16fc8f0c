import type { CommandContext } from '#kernel/commands/decider.js';

/** The context of a command of the delivering process. */
export const contextOf = (workspaceId: number, commandId: string): CommandContext => ({
  commandId,
  actor: { kind: 'process', id: 'deliver-webhooks' },
  workspaceId,
  correlationId: commandId,
});
