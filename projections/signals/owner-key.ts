import { workspaceScoped } from '#kernel/commands/decider.js';
import type { Recorded } from '#kernel/events/event.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

type NamesOwner =
  | { readonly agentId: number }
  | { readonly setupId: number }
  | { readonly ownerId: number }
  | { readonly source: { readonly id: number } };

/** The key of the agent or setup that an event names. Both share one id sequence, so the id alone tells them apart. */
export function ownerKeyOf(event: Recorded<NamesOwner>): string {
  const { data } = event;
  if ('agentId' in data) return workspaceScoped(workspaceIdOf(event), data.agentId);
  if ('setupId' in data) return workspaceScoped(workspaceIdOf(event), data.setupId);
  if ('source' in data) return workspaceScoped(workspaceIdOf(event), data.source.id);
  return workspaceScoped(workspaceIdOf(event), data.ownerId);
}
