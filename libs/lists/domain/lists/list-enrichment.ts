import type { EventOf } from '#kernel/events/event.js';
import type { ListStreamEvents } from './list.events.js';
import type { List } from './list-state.js';
import { isUnnamed, type MemberNamed } from './member.events.js';

/**
 * The look-up of the profiles of added people (OP-45): pending, then completed or failed; it stays pending if the
 * network has no observation of the person (OP-71). A person who was not found is looked up again after new
 * observations, and so is a company that was added without a name. A deleted list continues, so that it is complete
 * when it is restored.
 */

type ListEvent = EventOf<ListStreamEvents>;

/** Records once that the people of a batch are being looked up, without the members removed meanwhile. */
export const startEnrichment =
  (batch: number) =>
  ({ facts, membership }: List): ListEvent[] => {
    const open = membership.batches.get(batch);
    if (facts === null || open === undefined || open.started) return [];
    const memberIds = [...open.memberIds].filter((memberId) => membership.byId.has(memberId));
    if (memberIds.length === 0) return [];
    return [{ type: 'MemberEnrichmentStarted', data: { listId: facts.listId, batch, memberIds } }];
  };

/** One person of a batch and their profile; `unheardOf`: the network has no observation of them. */
export type LookedUpMember = ListStreamEvents['MembersEnriched']['members'][number] & {
  readonly unheardOf?: boolean;
};

export type Enrichment = {
  readonly batch: number;
  /** At most 100. */
  readonly found: readonly LookedUpMember[];
  readonly now: string;
};

/** Records the look-ups of people of a batch, each once. */
export const recordEnrichment =
  ({ batch, found, now }: Enrichment) =>
  ({ facts, membership }: List): ListEvent[] => {
    const open = membership.batches.get(batch);
    const still = found.filter(({ memberId }) => open?.memberIds.has(memberId));
    if (facts === null || still.length === 0) return [];
    const members = still.map(({ memberId, profile }) => ({ memberId, profile }));
    const unheardOf = still.filter((member) => member.unheardOf).map(({ memberId }) => memberId);
    const data = { listId: facts.listId, batch, members, enrichedAt: now };
    return [{ type: 'MembersEnriched', data: unheardOf.length === 0 ? data : { ...data, unheardOf } }];
  };

/**
 * Records new answers of the network about people whose look-up ended without a profile. People who have left the
 * list, or whose first look-up is still pending, are skipped.
 */
export const recordLateAnswers =
  ({ batch, found, now }: Enrichment) =>
  ({ facts, membership }: List): ListEvent[] => {
    const open = membership.batches.get(batch);
    const members = found
      .filter(({ memberId }) => membership.byId.has(memberId) && open?.memberIds.has(memberId) !== true)
      .map(({ memberId, profile }) => ({ memberId, profile }));
    if (facts === null || members.length === 0) return [];
    return [{ type: 'MembersEnriched', data: { listId: facts.listId, batch, members, enrichedAt: now } }];
  };

/** Records the names of companies that are still on the list without an observed one. At most 100. */
export const recordNames =
  ({ named, now }: { readonly named: readonly MemberNamed[]; readonly now: string }) =>
  ({ facts, membership }: List): ListEvent[] => {
    const members = named.filter(({ memberId }) => {
      const member = membership.byId.get(memberId);
      return member !== undefined && isUnnamed(member);
    });
    if (facts === null || members.length === 0) return [];
    return [{ type: 'MembersNamed', data: { listId: facts.listId, members, namedAt: now } }];
  };
