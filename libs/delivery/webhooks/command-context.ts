import type { CommandContext } from '#kernel/commands/decider.js';

/** Whom a command of the delivering process is of. */
export const contextOf = (workspaceId: number, commandId: string): CommandContext => ({
  commandId,
  actor: { kind: 'process', id: 'deliver-webhooks' },
  workspaceId,
  correlationId: commandId,
});
