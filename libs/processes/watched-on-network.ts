import { workspaceScoped } from '#kernel/commands/decider.js';
import type { NetworkIdentifier } from '#kernel/values/network-identifiers.js';
import { inPieces } from '#kernel/values/pieces.js';
import { kindOfList } from '#domain/lists/list.events.js';
import { list, watchedBy } from '#domain/lists/list.js';
import type { Member } from '#domain/lists/membership.js';
import { resolveEntities, type NetworkDirectory } from '#network/network-directory.port.js';
import type { SignalRunWorkDocument } from '#projections/signal-run-work/signal-run-work.projection.js';
import type { DetectorSources } from '#detection/detector.js';
import type { ProcessHost } from './process.js';

const RESOLVED_AT_ONCE = 500;

/**
 * Whom a launch looks at, as the network knows them now: the members whom its list watched when it was launched.
 * Members of whom the network knows nothing have no posts. Nothing where the launch looks at everybody.
 */
export async function watchedOnNetwork(
  { commands, directory }: Pick<ProcessHost, 'commands' | 'directory'>,
  { workspaceId, launch }: Pick<SignalRunWorkDocument, 'workspaceId' | 'launch'>,
): Promise<Pick<DetectorSources, 'watched'>> {
  const { scope } = launch;
  if (scope === undefined) return {};
  const stream = workspaceScoped(workspaceId, scope.listId);
  const launchedOn = await commands.loadAt(list, stream, BigInt(scope.listRevision));
  const kind = launchedOn.facts === null ? 'company' : kindOfList(launchedOn.facts.type);
  const entity = kind === 'company' ? 'company' : 'person';
  const identifiers = watchedBy(launchedOn).flatMap((member) => identifierOf(member, entity));
  const refs = await refsOf(directory, identifiers, entity);
  const nobody = { companyRefs: [], personRefs: [] };
  return { watched: { ...nobody, ...(kind === 'company' ? { companyRefs: refs } : { personRefs: refs }) } };
}

function identifierOf({ handle, domains }: Member, entity: 'company' | 'person'): NetworkIdentifier[] {
  if (handle !== null) return [{ by: 'handle', handle, entity }];
  return domains.map((domain) => ({ by: 'domain', domain }));
}

async function refsOf(
  directory: NetworkDirectory,
  identifiers: readonly NetworkIdentifier[],
  entity: 'company' | 'person',
): Promise<readonly string[]> {
  const refs = new Set<string>();
  for (const piece of inPieces(identifiers, RESOLVED_AT_ONCE)) {
    const resolutions = await resolveEntities(directory, entity, piece);
    for (const resolution of resolutions) if (resolution.outcome === 'found') refs.add(resolution.facts.ref);
  }
  return [...refs].sort();
}
