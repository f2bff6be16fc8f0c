import type { Clock } from '#kernel/ports/clock.js';
import type { Commands } from '#kernel/commands/commands.js';
import type { CommandContext } from '#kernel/commands/decider.js';
import type { Ids } from '#kernel/commands/ids.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { NetworkDirectory } from '#network/network-directory.port.js';

/** What the work on monitored accounts needs; requests and processes have it. */
export type MonitoringHost = {
  readonly commands: Commands;
  readonly ids: Ids;
  readonly readModels: ReadModels;
  readonly clock: Clock;
  readonly directory: NetworkDirectory;
};

/** The workspace whose monitoring is worked on, and the caller. */
export type MonitoringTask = {
  readonly workspaceId: number;
  /** The ids of the commands are derived from it and their step. */
  readonly context: CommandContext;
};

/** The context of one step of the work. */
export const stepOf = ({ context }: MonitoringTask, step: string): CommandContext => ({
  ...context,
  commandId: `${context.commandId}:${step}`,
});
