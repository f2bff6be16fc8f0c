import type { ReferencePart } from '#http/reference.js';

const LISTS = ['List', 'MonitoredList', 'Watchlist'];
const NEW_LISTS = ['CreateListBody', 'CreateWatchlistBody'];
const LIST_CHANGES = ['ChangeListBody', 'ChangeMonitoredListBody', 'ChangeWatchlistBody'];

/** Lists, and the changes of their members. */
export const lists: readonly ReferencePart[] = [
  {
    of: LISTS,
    fields: {
      kind: ['Kind of its members: companies or people (`profile`). It follows from the type.'],
      default_tracking_status: ['Tracking status of members without a status of their own.'],
      bound_agent_count: ['Agents that watch the list.', 1, 'agents'],
      persona_ids: ['Ids of the personas that the list is for; empty: for every persona.', [3]],
    },
  },
  {
    of: [...LISTS, ...NEW_LISTS],
    fields: {
      type: [
        'Purpose of the list; it never changes. The list of employees exists from the start and cannot be created.',
      ],
    },
  },
  {
    of: [...LISTS, ...NEW_LISTS, ...LIST_CHANGES],
    fields: {
      description: [
        'Description of the list, at most 2,000 characters; null for none.',
        'Whom we meet in every deal',
      ],
    },
  },
  {
    of: ['List', 'MonitoredList', 'CreateListBody', 'ChangeListBody', 'ChangeMonitoredListBody'],
    fields: { name: ['Name of the list, 1 to 255 characters.', 'Rivals'] },
  },
  {
    of: ['List', 'MonitoredList', 'CreateListBody'],
    fields: {
      tier: [
        'Tier of its companies, 1 is the highest; lists of customers and prospects only. It cannot be changed after creation.',
        1,
        'tier',
      ],
    },
  },
  {
    of: ['List', 'MonitoredList'],
    fields: {
      default_signal_bucket: [
        'Label of members without a label of their own; it has no effect on monitoring.',
      ],
      member_count: ['Members of the list.', 42, 'members'],
    },
  },
  {
    of: NEW_LISTS,
    fields: {
      default_tracking_status: ['Tracking status of members without a status of their own.'],
      persona_ids: ['Ids of the personas that the list is for; empty or absent: for every persona.', [3]],
    },
  },
  {
    of: LIST_CHANGES,
    fields: {
      default_tracking_status: ['Tracking status of members without a status of their own.'],
      persona_ids: ['Ids of the personas that the list is for; empty or null: for every persona.', [3]],
      archived: [
        'Whether the list is archived: its members stay, and it is listed only if archived lists are requested.',
      ],
    },
  },
  {
    of: ['MembershipChange', 'WatchlistMembershipChange'],
    fields: {
      id: ['Id of the entry.', 5],
      action: ['Whether the member came or left.'],
      domain: ['First known domain of a company; null for people and when unknown.', 'acme.com'],
      name: ['Name of the member at that time; null when unknown.', 'Acme'],
      source: ['The actor: a request to this API, a CRM, or the product itself.'],
      occurred_at: ['When it happened, in UTC.'],
    },
  },
];
