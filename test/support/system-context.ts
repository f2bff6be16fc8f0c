import type { CommandContext } from '#kernel/commands/decider.js';

let commands = 0;

/** The context of a command that a test gives as an operator; it has an id of its own. */
export const operatorContext = (workspaceId: number): CommandContext => ({
  ...systemContext(workspaceId),
  actor: { kind: 'operator', id: 'test' },
});

/** The context of a command that a test gives as the system; without a name it has an id of its own. */
export const systemContext = (
  workspaceId: number | null,
  commandId = `test-${(commands += 1)}`,
): CommandContext => ({
  commandId,
  actor: { kind: 'system', id: 'test' },
  workspaceId,
  correlationId: commandId,
});
