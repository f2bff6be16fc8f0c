import type { ReferencePart } from '#http/reference.js';

const COMPANY_MEMBERS = ['CompanyMember', 'CompanyEntity', 'MonitoredCompanyMember'];
const PROFILE_MEMBERS = ['ProfileMember', 'ProfileEntity', 'MonitoredProfileMember'];
const LISTS = ['List', 'MonitoredList', 'Watchlist'];
const NEW_LISTS = ['CreateListBody', 'CreateWatchlistBody'];
const LIST_CHANGES = ['ChangeListBody', 'ChangeMonitoredListBody', 'ChangeWatchlistBody'];

/** Lists, their members, and the older path to them. */
export const lists: readonly ReferencePart[] = [
  {
    of: LISTS,
    fields: {
      kind: ['What the list holds: companies or people (`profile`). It follows from the type.'],
      default_tracking_status: ['Whether members are watched who have no status of their own.'],
      bound_agent_count: ['Agents that watch the list.', 1, 'agents'],
      persona_ids: ['Ids of the personas that the list is for; empty: for every persona.', [3]],
    },
  },
  {
    of: [...LISTS, ...NEW_LISTS],
    fields: {
      type: [
        'What the list is for; it never changes. A list of employees exists from the start and cannot be made.',
      ],
    },
  },
  {
    of: [...LISTS, ...NEW_LISTS, ...LIST_CHANGES],
    fields: {
      description: [
        'What the list is about, at most 2,000 characters; null for nothing.',
        'Whom we meet in every deal',
      ],
    },
  },
  {
    of: ['List', 'MonitoredList', 'CreateListBody', 'ChangeListBody', 'ChangeMonitoredListBody'],
    fields: { name: ['What the list is called, 1 to 255 characters.', 'Rivals'] },
  },
  {
    of: ['Watchlist', 'CreateWatchlistBody', 'ChangeWatchlistBody'],
    fields: { title: ['What the list is called, 1 to 255 characters.', 'Rivals'] },
  },
  {
    of: ['List', 'MonitoredList', 'CreateListBody'],
    fields: {
      tier: [
        'How important its companies are, 1 the most; lists of customers and prospects only, and fixed once made.',
        1,
        'tier',
      ],
    },
  },
  {
    of: ['List', 'MonitoredList'],
    fields: {
      default_signal_bucket: [
        'Label of members who have none of their own; it has no effect on what is watched.',
      ],
      member_count: ['Members of the list.', 42, 'members'],
    },
  },
  { of: ['Watchlist'], fields: { entity_count: ['Members of the list.', 42, 'members'] } },
  {
    of: ['MonitoredList'],
    fields: {
      signal_buckets: ['`["essential"]` where the whole list is monitored, null where it is not.'],
      monitored_count: [
        'Members whom this list has monitored and who are paid for in one business unit at least.',
        17,
        'members',
      ],
    },
  },
  {
    of: ['ChangeMonitoredListBody'],
    fields: {
      signal_buckets: [
        '`["essential"]` has the whole list monitored, those who join later too; null stops it, for members picked one by one as well. ' +
          'What is paid is never refunded.',
      ],
    },
  },
  {
    of: NEW_LISTS,
    fields: {
      default_tracking_status: ['Whether members are watched who have no status of their own.'],
      persona_ids: ['Ids of the personas that the list is for; empty or absent: for every persona.', [3]],
    },
  },
  {
    of: LIST_CHANGES,
    fields: {
      default_tracking_status: ['Whether members are watched who have no status of their own.'],
      persona_ids: ['Ids of the personas that the list is for; empty or null: for every persona.', [3]],
      archived: [
        'Whether the list is archived: its members stay, and it is listed only where archived lists are asked for.',
      ],
    },
  },
  {
    of: [...COMPANY_MEMBERS, ...PROFILE_MEMBERS, 'ConciseMember'],
    fields: { id: ['Id of the member on this list, for its own paths.', 12] },
  },
  {
    of: [...COMPANY_MEMBERS, ...PROFILE_MEMBERS, 'SetMemberTrackingBody'],
    fields: {
      tracking_status: [
        'Whether the member is watched; null: as the list says. Who is unfollowed costs nothing.',
      ],
    },
  },
  {
    of: [
      'CompanyMember',
      'ProfileMember',
      'MonitoredCompanyMember',
      'MonitoredProfileMember',
      'SetMemberBucketBody',
    ],
    fields: {
      signal_bucket: ['Label of the member; null: that of the list. It has no effect on what is watched.'],
    },
  },
  {
    of: ['MonitoredCompanyMember', 'MonitoredProfileMember'],
    fields: {
      signal_buckets: [
        '`["essential"]` where the member is monitored, by itself or with its list; null where it is not.',
      ],
    },
  },
  {
    of: ['SetMemberSignalBucketsBody'],
    fields: {
      signal_buckets: ['`["essential"]` has the member monitored, null stops it, whatever the list says.'],
    },
  },
  { of: COMPANY_MEMBERS, fields: { name: ['Name of the company; null when unknown.', 'Acme'] } },
  {
    of: PROFILE_MEMBERS,
    fields: {
      enrichment_status: ['How far the look-up of the profile is; null before it starts.'],
      current_company: ['For whom the person works now; null when unknown.'],
    },
  },
  { of: ['CurrentCompany'], fields: { name: ['Name of the company; null when unknown.', 'Acme'] } },
  {
    of: ['MembershipChange', 'WatchlistMembershipChange'],
    fields: {
      id: ['Id of the entry.', 5],
      action: ['Whether the member came or left.'],
      name: ['Name of the member at that time; null when unknown.', 'Acme'],
      source: ['Who did it: a request to this API, a CRM, or the product itself.'],
      occurred_at: ['When it happened, in UTC.'],
    },
  },
  { of: ['WatchlistMembershipChange'], fields: { entity_id: ['Id of the member.', 12] } },
  { of: ['AddMembersBody'], fields: { members: ['Whom to add, 1 to 100.'] } },
  { of: ['AddEntitiesBody'], fields: { entities: ['Whom to add, 1 to 100.'] } },
  {
    of: ['MemberRow'],
    fields: {
      company: ['For whom the person works now, at least one of name and domain; lists of champions only.'],
    },
  },
  {
    of: ['MemberRowCompany'],
    fields: { name: ['Name of the company.', 'Acme'] },
  },
  {
    of: ['AddedMembers', 'AddedWatchlistEntities'],
    fields: {
      data: ['Members who were added now; who was there before is not among them.'],
      errors: ['Rows that were not taken, and why.'],
    },
  },
  {
    of: ['RowError'],
    fields: {
      input: ['The row as it was sent.', { domain: 'acme' }],
      code: ['Why it was not taken.'],
      message: ['The same for a person to read.', 'The domain has no dot.'],
    },
  },
];
