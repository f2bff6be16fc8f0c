import type { EventOf } from '#kernel/events/event.js';
import { fieldError } from '#kernel/values/refusal.js';
import type { ListStreamEvents } from './list.events.js';
import { canCarryTier, requireList, tierNotAllowed } from './list.js';
import type { List } from './list-state.js';

/** Operations of the product on lists; callers of the API cannot use them. */

type ListEvent = EventOf<ListStreamEvents>;

/** Binds the list to a CRM that fills it; no event if it is bound to this CRM already. */
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
