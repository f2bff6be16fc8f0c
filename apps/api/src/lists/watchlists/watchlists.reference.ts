import type { ReferencePart } from '#http/reference.js';

/** Fields that only the older path to lists has. */
export const watchlists: readonly ReferencePart[] = [
  {
    of: ['Watchlist', 'CreateWatchlistBody', 'ChangeWatchlistBody'],
    fields: { title: ['Name of the list, 1 to 255 characters.', 'Rivals'] },
  },
  { of: ['Watchlist'], fields: { entity_count: ['Members of the list.', 42, 'members'] } },
  { of: ['WatchlistMembershipChange'], fields: { entity_id: ['Id of the member.', 12] } },
  { of: ['AddEntitiesBody'], fields: { entities: ['The rows to add, 1 to 100.'] } },
];
