import type { EventOf } from '#kernel/events/event.js';
import { fieldError } from '#kernel/values/refusal.js';
import type { ListStreamEvents } from './list.events.js';
import { canCarryTier, requireList, tierNotAllowed } from './list.js';
import type { List } from './list-state.js';

/** What the product does to lists from within; no caller of the API can. */

type ListEvent = EventOf<ListStreamEvents>;

/** From now on the list fills itself from this CRM; the same again is nothing. */
export const bindCrm =
  ({ crm, now }: { readonly crm: string; readonly now: string }) =>
  (state: List): ListEvent[] => {
    const { listId } = requireList(state);
    return state.crm === crm ? [] : [{ type: 'ListCrmBound', data: { listId, crm, boundAt: now } }];
  };

/** The tier that comes with a converted segment; only customer and prospect lists carry one. */
export const assignTier =
  (tier: number) =>
  (state: List): ListEvent[] => {
    const facts = requireList(state);
    if (!canCarryTier(facts.type)) {
      throw tierNotAllowed({ errors: fieldError('tier', 'is only for customer and prospect lists') });
    }
    return facts.tier === tier ? [] : [{ type: 'ListTierAssigned', data: { listId: facts.listId, tier } }];
  };
