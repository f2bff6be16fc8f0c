import type { CommandContext } from '#kernel/commands/decider.js';
import type { ProcessHost } from '#process-engine/process.js';

/** What the work on monitored accounts needs; requests and processes have it. */
export type MonitoringHost = Pick<ProcessHost, 'commands' | 'ids' | 'readModels' | 'clock' | 'directory'>;

/** The workspace whose monitoring is worked on, and the caller. */
export type MonitoringTask = {
  readonly workspaceId: number;
  /** The ids of the commands are derived from it and their step. */
  readonly context: CommandContext;
};
