import type { ReferencePart } from '#http/reference.js';

/** The monitoring of a list and of its members. */
export const monitoredLists: readonly ReferencePart[] = [
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
        '`["essential"]` monitors the whole list, including later members; null stops monitoring, also for members picked one by one. ' +
          'Paid months are never refunded.',
      ],
    },
  },
  {
    of: ['SetMemberSignalBucketsBody'],
    fields: {
      signal_buckets: ['`["essential"]` monitors the member, null stops it; this overrides the list.'],
    },
  },
];
