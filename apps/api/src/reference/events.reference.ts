import type { ReferencePart } from '#http/reference.js';

const EVENT = 'evt_0b0e8b1c4d7a4c0e9f5a2d3c4b5a6978_0';
const STEMS = [
  'SignalDetected',
  'RunEnded',
  'AccountNotCovered',
  'AccountCoveredAgain',
  'CreditsLow',
  'CreditsRunOut',
  'CreditsExpiring',
  'CapReached',
  'MappingCompleted',
  'ContentRequestFailed',
  'TopAccountResolved',
  'ListMemberUnresolved',
  'EndpointDisabled',
];
const EVENTS = STEMS.map((stem) => `${stem}Event`);
const DELIVERIES = [...STEMS, 'EndpointTest'].map((stem) => `${stem}Delivery`);

/** The feed of events. */
export const events: readonly ReferencePart[] = [
  {
    of: [...EVENTS, ...DELIVERIES],
    fields: {
      id: ['The id of the event, which is its cursor too.', EVENT],
      type: ['What happened. Later versions add types: ignore types that you do not know.'],
      occurred_at: ['When it was recorded, in UTC.', '2026-06-01T10:00:00.000Z'],
      workspace_id: ['The workspace in which it happened.', 1],
    },
  },
  {
    of: EVENTS,
    fields: {
      data: ['What the API answers now for the thing that the event is about; null where it was deleted.'],
    },
  },
  {
    of: DELIVERIES,
    fields: {
      previous_id: [
        'The event before it that this endpoint asks for; null: it is the first since the endpoint was added.',
        'evt_7c3f5f0e2b6d4a1f8e9d0c1b2a394857_0',
      ],
      data: [
        'What the API answers now for the thing that the event is about; null where it was deleted; a link to it where the body would have 20,000 bytes or more.',
      ],
    },
  },
  {
    of: ['DeliveryLink'],
    fields: {
      link: ['Path of the event in the API, which answers it whole.', `/api/v3/events?event=${EVENT}`],
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
    fields: { balance: ['What could be spent when it was told.', 48.5, 'credits'] },
  },
  {
    of: ['CreditsLow'],
    fields: {
      threshold_credits: ['The threshold, where the balance came down to one; else null.', 50, 'credits'],
      threshold_days: [
        'The threshold, where the balance is foreseen to end within one; else null.',
        14,
        'days',
      ],
      ends_on: [
        'The day on which it is foreseen to end; null where the threshold is in credits.',
        '2026-06-14',
      ],
    },
  },
  {
    of: ['CreditsExpiring'],
    fields: {
      movement_id: ['The grant that gave the credits.', 12],
      credits: ['What of it could be spent when it was told.', 40, 'credits'],
      expires_at: ['When it expires, in UTC.', '2026-06-08T00:00:00.000Z'],
    },
  },
  {
    of: ['ReachedCap'],
    fields: {
      id: ['Id of the cap.', 3],
      scope: ['What the cap limits.'],
      scope_id: ['The signal setup, agent or API key by its id; null where the scope is the workspace.', 17],
      period: ['The period of the cap, in UTC.', 'month'],
      limit: ['What may be held in a period at most.', 500, 'credits'],
      spent: ['What was held in the period when it was told.', 495, 'credits'],
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
      member: ['The member whom the network does not know.'],
    },
  },
  { of: ['EventPage'], fields: { data: ['The events of the page, oldest first.'] } },
  { of: ['EventPageMeta'], fields: { cursor: ['How to go on from this page.'] } },
  {
    of: ['EventCursor'],
    fields: {
      next: [
        'Cursor of the next request: the id of the last event of this page, or the cursor that was sent. Null where the feed has no event yet.',
        EVENT,
      ],
      has_more: ['Whether more events are there now.'],
    },
  },
  {
    of: ['listEvents'],
    fields: {
      cursor: ['The id of an event: the page begins behind it. It is good with any `type`.', EVENT],
      type: ['Only events of these types.'],
      event: ['Only the event with this id.', EVENT],
    },
  },
];
