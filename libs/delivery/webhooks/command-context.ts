import { processContext } from '#kernel/commands/process-context.js';

/** The context of a command of the delivering process. */
export const contextOf = (workspaceId: number, commandId: string) =>
  processContext('deliver-webhooks', workspaceId, commandId);
