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
    of: ['Watchlist', 'CreateWatchlistBody', 'ChangeWatchlistBody'],
    fields: { title: ['Name of the list, 1 to 255 characters.', 'Rivals'] },
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
        'Label of members without a label of their own; it has no effect on monitoring.',
      ],
      member_count: ['Members of the list.', 42, 'members'],
    },
  },
  { of: ['Watchlist'], fields: { entity_count: ['Members of the list.', 42, 'members'] } },
  {
    of: ['MonitoredList'],
    fields: {
      signal_buckets: ['`["essential"]` if the whole list is monitored; otherwise null.'],
      monitored_count: [
        'Members that this list monitors and that are covered in at least one business unit.',
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
    of: [...COMPANY_MEMBERS, ...PROFILE_MEMBERS, 'ConciseMember'],
    fields: { id: ['Id of the member on this list, for its own paths.', 12] },
  },
  {
    of: [...COMPANY_MEMBERS, ...PROFILE_MEMBERS, 'SetMemberTrackingBody'],
    fields: {
      tracking_status: [
        'Tracking status of the member; null: that of the list. An unfollowed member costs nothing.',
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
      signal_bucket: ['Label of the member; null: that of the list. It has no effect on monitoring.'],
    },
  },
  {
    of: ['MonitoredCompanyMember', 'MonitoredProfileMember'],
    fields: {
      signal_buckets: [
        '`["essential"]` if the member is monitored, by itself or with its list; otherwise null.',
      ],
    },
  },
  {
    of: ['SetMemberSignalBucketsBody'],
    fields: {
      signal_buckets: ['`["essential"]` monitors the member, null stops it; this overrides the list.'],
    },
  },
  { of: COMPANY_MEMBERS, fields: { name: ['Name of the company; null when unknown.', 'Acme'] } },
  {
    of: PROFILE_MEMBERS,
    fields: {
      enrichment_status: ['How far the look-up of the profile is; null before it starts.'],
      current_company: ['Present employer; null when unknown.'],
    },
  },
  { of: ['CurrentCompany'], fields: { name: ['Name of the company; null when unknown.', 'Acme'] } },
  {
    of: ['MembershipChange', 'WatchlistMembershipChange'],
    fields: {
      id: ['Id of the entry.', 5],
      action: ['Whether the member came or left.'],
      name: ['Name of the member at that time; null when unknown.', 'Acme'],
      source: ['The actor: a request to this API, a CRM, or the product itself.'],
      occurred_at: ['When it happened, in UTC.'],
    },
  },
  { of: ['WatchlistMembershipChange'], fields: { entity_id: ['Id of the member.', 12] } },
  { of: ['AddMembersBody'], fields: { members: ['The rows to add, 1 to 100.'] } },
  { of: ['AddEntitiesBody'], fields: { entities: ['The rows to add, 1 to 100.'] } },
  {
    of: ['MemberRow'],
    fields: {
      company: ['Present employer, at least one of name and domain; lists of champions only.'],
    },
  },
  {
    of: ['MemberRowCompany'],
    fields: { name: ['Name of the company.', 'Acme'] },
  },
  {
    of: ['AddedMembers', 'AddedWatchlistEntities'],
    fields: {
      data: ['Members that this request added; existing members are not listed.'],
      errors: ['Rows that were not taken, and why.'],
    },
  },
  {
    of: ['RowError'],
    fields: {
      input: ['The sent row.', { domain: 'acme' }],
      code: ['Why it was not taken.'],
      message: ['The same for a person to read.', 'The domain has no dot.'],
    },
  },
];
