import type { CommandContext } from '#kernel/commands/decider.js';
import { Refusal } from '#kernel/values/refusal.js';
import type { Tick } from '#signals/domain/launches/launches.js';
import type { LaunchSource, SourceKey, Trigger } from '#signals/launching/launch-source.js';
import { prepareLaunch } from '#signals/launching/launch.js';
import type { ProcessHost } from '#process-engine/process.js';

/**
 * The launch for a due time. If a launch by hand would be refused, the due time is skipped with the refusal as
 * reason.
 */
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
