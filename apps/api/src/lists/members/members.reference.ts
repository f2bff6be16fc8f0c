import type { ReferencePart } from '#http/reference.js';

const COMPANY_MEMBERS = ['CompanyMember', 'CompanyEntity', 'MonitoredCompanyMember'];
const PROFILE_MEMBERS = ['ProfileMember', 'ProfileEntity', 'MonitoredProfileMember'];

/** Members of lists, in all paths to them. */
export const members: readonly ReferencePart[] = [
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
  { of: COMPANY_MEMBERS, fields: { name: ['Name of the company; null when unknown.', 'Acme'] } },
  {
    of: PROFILE_MEMBERS,
    fields: {
      enrichment_status: ['Progress of the look-up of the profile; null before it starts.'],
      current_company: ['Present employer; null when unknown.'],
    },
  },
  { of: ['CurrentCompany'], fields: { name: ['Name of the company; null when unknown.', 'Acme'] } },
  { of: ['AddMembersBody'], fields: { members: ['The rows to add, 1 to 100.'] } },
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
      errors: ['Rows that were not accepted, with the reason.'],
    },
  },
  {
    of: ['RowError'],
    fields: {
      input: ['The sent row.', { domain: 'acme' }],
      code: ['Code of the reason.'],
      message: ['The reason as text.', 'The domain has no dot.'],
    },
  },
];
