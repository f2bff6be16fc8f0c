import type { ListStreamEvents } from '#lists/domain/lists/list.events.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import type { Position } from '#kernel/ports/event-store.port.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** The people of one event whose profiles are still to be looked up. */
export type MemberEnrichmentWorkDocument = {
  /** The id of the batch: the id of its first member. */
  readonly batch: number;
  readonly workspaceId: number;
  readonly listId: number;
  readonly members: readonly { readonly memberId: number; readonly handle: string }[];
  readonly addedPosition: Position;
  readonly addedEventId: string;
  /** The id of the request that added the people. */
  readonly correlationId: string;
};

type EnrichmentPayloads = Pick<ListStreamEvents, 'MembersAdded' | 'MembersEnriched'>;

export const memberEnrichmentWork = projection<MemberEnrichmentWorkDocument, EnrichmentPayloads>()({
  name: 'member-enrichment-work',
  version: 2,
  critical: true,
  indexes: {
    oldestFirst: ['addedPosition', 'batch'],
    byWorkspace: ['workspaceId', 'addedPosition', 'batch'],
  },
  key: (event) => {
    const workspaceId = workspaceIdOf(event);
    if (event.type === 'MembersEnriched') return workspaceScoped(workspaceId, event.data.batch);
    const [first] = event.data.members;
    const looksUp = event.data.kind === 'profile' && first !== undefined;
    return looksUp ? workspaceScoped(workspaceId, first.memberId) : null;
  },
  on: {
    MembersAdded: (_none, event) => {
      const { listId, members } = event.data;
      const [first] = members;
      if (first === undefined) return null;
      return {
        batch: first.memberId,
        workspaceId: workspaceIdOf(event),
        listId,
        members: members.flatMap(({ memberId, handle }) => (handle === null ? [] : [{ memberId, handle }])),
        addedPosition: event.position,
        addedEventId: event.id,
        correlationId: event.metadata['correlationId'] ?? event.id,
      };
    },
    MembersEnriched: (work, { data }) => {
      if (work === null) return null;
      const done = new Set(data.members.map(({ memberId }) => memberId));
      const members = work.members.filter(({ memberId }) => !done.has(memberId));
      return members.length === 0 ? null : { ...work, members };
    },
  },
});
