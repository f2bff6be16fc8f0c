import type { ParameterFaults } from './agent-parameters.js';
import { agentTypeOf, givesType, WITHOUT_TYPE } from './agent-types.js';
import type { Agent } from './agent.js';

/** The facts about a list that the rules need; a deleted or foreign list counts as none. */
export type WatchableList = {
  readonly type: string;
  readonly kind: 'company' | 'profile';
  readonly archived: boolean;
};

type Bound = Pick<Agent, 'type' | 'watchlist'>;
type BindingWish = {
  readonly watchlistId?: number | null | undefined;
  readonly watchlistKind?: 'company' | 'profile' | null | undefined;
  /** The workspace's list that `watchlistId` names; null if there is none. */
  readonly list: WatchableList | null;
};

/** Adds the faults of a request to bind an agent to a list, or to none; `known` is the agent before it. */
export function noteBindingFaults(known: Bound, wish: BindingWish, faults: ParameterFaults): void {
  const { watchlistId, watchlistKind, list } = wish;
  if (watchlistId === undefined) {
    // If the id itself is invalid, no second fault is added.
    if (watchlistKind !== undefined && !faults.has('watchlist_id'))
      faults.set('watchlist_kind', ['needs a watchlist_id']);
    return;
  }
  if (watchlistId === null) {
    if (watchlistKind !== undefined && watchlistKind !== null)
      faults.set('watchlist_kind', ['must be null where watchlist_id is']);
    return;
  }
  if (watchlistKind === null) faults.set('watchlist_kind', ['is null only where watchlist_id is']);
  if (watchlistId === known.watchlist?.id) {
    if (typeof watchlistKind === 'string' && watchlistKind !== known.watchlist.kind)
      faults.set('watchlist_kind', [`must be ${known.watchlist.kind}, the kind of the list`]);
    return;
  }
  const fault = listFault(known.type, list);
  if (fault !== null) faults.set('watchlist_id', [fault]);
  else if (list !== null && typeof watchlistKind === 'string' && watchlistKind !== list.kind)
    faults.set('watchlist_kind', [`must be ${list.kind}, the kind of the list`]);
}

function listFault(type: string, list: WatchableList | null): string | null {
  const wanted = agentTypeOf(type)?.list?.type ?? null;
  if (type !== WITHOUT_TYPE && wanted === null) return `${type} agents watch no list`;
  if (list === null) return 'does not exist in this workspace';
  if (list.archived) return 'is archived';
  if (type !== WITHOUT_TYPE) return list.type === wanted ? null : `must be a list of type ${wanted}`;
  return givesType(list.type) ? null : `no agent watches lists of type ${list.type}`;
}
