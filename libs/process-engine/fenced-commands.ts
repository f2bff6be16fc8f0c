import type { Commands } from '#kernel/commands/commands.js';

/** Commands that ask before each write whether the writer still may: `fence` throws when it may not. */
export function fencedCommands(commands: Commands, fence: () => void): Commands {
  return {
    ...commands,
    handle: async (decider, id, decision, options) => {
      fence();
      return commands.handle(decider, id, decision, options);
    },
  };
}
