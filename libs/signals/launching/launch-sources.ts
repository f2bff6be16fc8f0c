import type { Commands } from '#kernel/commands/commands.js';
import { agentSource } from './agent-source.js';
import type { LaunchSource, SourceKey } from './launch-source.js';
import { setupSource } from './setup-source.js';

/** All kinds of sources. */
const launchSources = { setup: setupSource, agent: agentSource };

/** The source for the kind in an event or document. Throws for a kind that a newer version has written. */
export function launchSource(kind: LaunchSource['kind']): LaunchSource {
  if (!Object.hasOwn(launchSources, kind)) throw new Error(`nothing of kind ${kind} has runs`);
  return launchSources[kind];
}

/** The source with an id; null if there is none. Agents and setups share one id sequence. */
export async function findLaunchSource(commands: Commands, key: SourceKey): Promise<LaunchSource | null> {
  const sources = Object.values(launchSources);
  const found = await Promise.all(sources.map((source) => source.has(commands, key)));
  return sources.find((_, index) => found[index]) ?? null;
}
