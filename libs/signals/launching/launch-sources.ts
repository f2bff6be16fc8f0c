import type { Commands } from '#kernel/commands/commands.js';
import type { RunLaunched } from '#signals/domain/launches/launch.events.js';
import { agentSource } from './agent-source.js';
import type { LaunchSource, SourceKey } from './launch-source.js';
import { setupSource } from './setup-source.js';

/** All kinds of sources. */
const launchSources: readonly LaunchSource[] = [setupSource, agentSource];

/** The source for the kind in an event or document. */
export function launchSource(kind: RunLaunched['source']['kind']): LaunchSource {
  const source = launchSources.find((known) => known.kind === kind);
  if (source === undefined) throw new Error(`nothing of kind ${kind} has runs`);
  return source;
}

/** The source with an id; null if there is none. Agents and setups share one id sequence. */
export async function findLaunchSource(commands: Commands, key: SourceKey): Promise<LaunchSource | null> {
  const found = await Promise.all(launchSources.map((source) => source.has(commands, key)));
  return launchSources.find((_, index) => found[index]) ?? null;
}
