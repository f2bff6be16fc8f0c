import type { CommandContext } from '#kernel/commands/decider.js';
import { Refusal } from '#kernel/values/refusal.js';
import type { Tick } from '#signals/domain/launches/launches.js';
import type { LaunchSource, SourceKey, Trigger } from '#signals/launching/launch-source.js';
import { prepareLaunch } from '#signals/launching/launch.js';
import type { ProcessHost } from '#process-engine/process.js';

/** What is due: what a launch by hand would be refused for skips it, and is recorded as the reason. */
export async function launchOrRefusal(
  host: ProcessHost,
  source: LaunchSource,
  due: SourceKey & { readonly trigger: Trigger },
  context: CommandContext,
): Promise<Tick['launch']> {
  try {
    return await prepareLaunch(
      host,
      source,
      { ...due, lookbackDays: null, maxCredits: null, quote: null },
      context,
    );
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.declaration.code };
    throw error;
  }
}
