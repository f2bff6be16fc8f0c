import type { EventOf } from '#kernel/event.js';
import type { ListEvents } from './list.events.js';
import type { List } from './list-state.js';
import type { MemberProfile } from './member.events.js';

/**
 * Looking up the profiles of people who were added (OP-45): pending while it is under way, then completed or
 * failed. A deleted list goes on with it, so that it is whole when it is restored.
 */

type ListEvent = EventOf<ListEvents>;

/** Says that the people of a batch are being looked up, once; those removed meanwhile are not. */
export const startEnrichment =
  (batch: number) =>
  ({ facts, membership }: List): ListEvent[] => {
    const open = membership.batches.get(batch);
    if (facts === null || open === undefined || open.started) return [];
    const memberIds = [...open.memberIds].filter((memberId) => membership.byId.has(memberId));
    if (memberIds.length === 0) return [];
    return [{ type: 'MemberEnrichmentStarted', data: { listId: facts.listId, batch, memberIds } }];
  };

export type Enrichment = {
  readonly batch: number;
  /** At most 100. */
  readonly found: readonly { readonly memberId: number; readonly profile: MemberProfile | null }[];
  readonly now: string;
};

/** Records what was found of people of a batch, each once. */
export const recordEnrichment =
  ({ batch, found, now }: Enrichment) =>
  ({ facts, membership }: List): ListEvent[] => {
    const open = membership.batches.get(batch);
    const members = found.filter(({ memberId }) => open?.memberIds.has(memberId));
    if (facts === null || members.length === 0) return [];
    return [{ type: 'MembersEnriched', data: { listId: facts.listId, batch, members, enrichedAt: now } }];
  };
