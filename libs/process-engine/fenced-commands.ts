import type { Commands } from '#kernel/commands/commands.js';

/** Commands that call `fence` before each write; `fence` throws if this writer has lost its lease. */
export function fencedCommands(commands: Commands, fence: () => void): Commands {
  return {
    ...commands,
    handle: async (decider, id, decision, options) => {
      fence();
      return commands.handle(decider, id, decision, options);
    },
  };
}
