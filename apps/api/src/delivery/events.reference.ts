import { eventTitle, TEST_TYPE } from '#delivery/answers/event.view.js';
import type { ReferencePart } from '#http/reference.js';
import { FEED_TYPES } from '#projections/delivery/event-feed/event-feed.projection.js';

const EVENT = 'evt_0b0e8b1c4d7a4c0e9f5a2d3c4b5a6978_0';
const EVENTS = FEED_TYPES.map((type) => eventTitle(type, 'Event'));
const DELIVERIES = ([...FEED_TYPES, TEST_TYPE] as const).map((type) => eventTitle(type, 'Delivery'));

/** The feed of events. */
export const events: readonly ReferencePart[] = [
  {
    of: [...EVENTS, ...DELIVERIES],
    fields: {
      id: ['The id of the event, which is its cursor too.', EVENT],
      type: ['Type of the event. Later versions add types: ignore unknown types.'],
      occurred_at: ['When it was recorded, in UTC.', '2026-06-01T10:00:00.000Z'],
      workspace_id: ['The workspace in which it happened.', 1],
    },
  },
  {
    of: EVENTS,
    fields: {
      data: ['The present state of the object of the event, as the API returns it; null if it was deleted.'],
    },
  },
  {
    of: DELIVERIES,
    fields: {
      previous_id: [
        'The previous event to which this endpoint subscribes; null: it is the first since the endpoint was added.',
        'evt_7c3f5f0e2b6d4a1f8e9d0c1b2a394857_0',
      ],
      data: [
        'The present state of the object of the event, as the API returns it; null if it was deleted; a link if the body would have 20,000 bytes or more.',
      ],
    },
  },
  {
    of: ['DeliveryLink'],
    fields: {
      link: ['Path of the complete event in the API.', `/api/v3/events?event=${EVENT}`],
    },
  },
  {
    of: ['NotCoveredAccount'],
    fields: {
      company: ['The company of the account.'],
      persona_id: ['The business unit that wants the account monitored.', 3],
      not_covered_since: ['Since when no month of the account is paid, in UTC.', '2026-06-01T10:00:00.000Z'],
      not_covered_reason: ['Why the month was not paid. The list is open: expect other values.', 'credits'],
    },
  },
  {
    of: ['CreditsLow', 'CreditsRunOut'],
    fields: { balance: ['Available credits at the time of the event.', 48.5, 'credits'] },
  },
  {
    of: ['CreditsLow'],
    fields: {
      threshold_credits: [
        'The threshold in credits that the balance reached; null if it was a threshold in days.',
        50,
        'credits',
      ],
      threshold_days: [
        'The threshold in days that the forecast reached; null if it was a threshold in credits.',
        14,
        'days',
      ],
      ends_on: ['The forecast end of the balance; null if the threshold is in credits.', '2026-06-14'],
    },
  },
  {
    of: ['CreditsExpiring'],
    fields: {
      movement_id: ['The grant that gave the credits.', 12],
      credits: ['Available credits of the lot at the time of the event.', 40, 'credits'],
      expires_at: ['When it expires, in UTC.', '2026-06-08T00:00:00.000Z'],
    },
  },
  {
    of: ['ReachedCap'],
    fields: {
      id: ['Id of the cap.', 3],
      scope: ['Scope of the cap.'],
      scope_id: ['Id of the signal setup, agent or API key; null if the scope is the workspace.', 17],
      period: ['The period of the cap, in UTC.', 'month'],
      limit: ['Most credits that can be held in a period.', 500, 'credits'],
      spent: ['Credits held in the period at the time of the event.', 495, 'credits'],
      resets_at: ['When the next period begins, in UTC.', '2026-07-01T00:00:00.000Z'],
    },
  },
  {
    of: ['CoveredAgainAccount'],
    fields: {
      company: ['The company of the account.'],
      persona_id: ['The business unit that wants the account monitored.', 3],
      not_covered_since: ['Since when the account was not covered, in UTC.', '2026-06-01T10:00:00.000Z'],
    },
  },
  {
    of: ['NotCoveredCompany', 'CoveredAgainCompany'],
    fields: { name: ['Name of the company; null when unknown.', 'Acme'] },
  },
  {
    of: ['UnresolvedMember'],
    fields: {
      list_id: ['The list of the member.', 4],
      member: ['The member that the network does not know.'],
    },
  },
  { of: ['EventPage'], fields: { data: ['The events of the page, oldest first.'] } },
  { of: ['EventPageMeta'], fields: { cursor: ['The cursor of the next page.'] } },
  {
    of: ['EventCursor'],
    fields: {
      next: [
        'Cursor of the next request: the id of the last event of this page, or the sent cursor. Null if the feed has no event yet.',
        EVENT,
      ],
      has_more: ['Whether more events are there now.'],
    },
  },
  {
    of: ['listEvents'],
    fields: {
      cursor: ['The id of an event: the page begins after it. It is valid with any `type`.', EVENT],
      type: ['Only events of these types.'],
      event: ['Only the event with this id.', EVENT],
    },
  },
];
