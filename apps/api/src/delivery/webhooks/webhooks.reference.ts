import type { ReferencePart } from '#http/reference.js';

const EVENT = 'evt_0b0e8b1c4d7a4c0e9f5a2d3c4b5a6978_0';
const WHEN = '2026-06-01T10:00:00.000Z';
const SHOWN = ['WebhookEndpoint', 'WebhookEndpointWithSecret', 'RotatedWebhookSecret'];

/** Webhook endpoints, their secrets and their deliveries. */
export const webhooks: readonly ReferencePart[] = [
  {
    of: [...SHOWN, 'NewEndpointBody', 'EndpointChangeBody'],
    fields: {
      url: [
        'The address that gets the events: https, without user and password.',
        'https://hooks.example.com/signals',
      ],
      types: [
        'The types of events that it gets; null: all, also those that later versions add.',
        ['signal.detected'],
      ],
      signal_setup_ids: ['Only signals and ends of runs of these setups; null: of all.', [17]],
      signal_template_keys: [
        'Only signals and ends of runs of setups of these templates; null: of all.',
        ['keyword-post-search'],
      ],
      list_ids: ['Events about members only for members of these lists; null: of all lists.', [4]],
      description: ['Your description of the endpoint.', 'Signals for the CRM'],
      rate_per_second: [
        'Largest number of requests per second; null: no limit. It is 1 while `format` is `slack`; the number that was sent, or null, applies again with `standard`.',
        5,
        'requests per second',
      ],
      format: ['`standard`: the event as JSON. `slack`: a message for an incoming webhook of Slack.'],
    },
  },
  {
    of: SHOWN,
    fields: {
      id: ['Id of the endpoint.', 3],
      enabled: ['Whether events are sent to it.'],
      disabled_reason: [
        'Reason why the endpoint is disabled: `asked` (by the workspace), `operator`, `gone` (it answered 410), `failing` (no success for five days), or `secret_lost`; null while it is enabled.',
      ],
      disabled_at: ['When it was disabled, in UTC; null while it is enabled.', WHEN],
      created_at: ['When it was added, in UTC. Earlier events are not sent.', WHEN],
    },
  },
  {
    of: ['WebhookEndpointWithSecret', 'RotatedWebhookSecret'],
    fields: {
      secret: [
        'Secret that verifies deliveries; it is shown only here. Null in a replayed response (Idempotency-Key).',
        'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw0x3kRXm0Vbs=',
      ],
    },
  },
  {
    of: ['RotatedWebhookSecret'],
    fields: {
      previous_valid_until: ['Until when the secret before it signs as well, in UTC and in real time.', WHEN],
    },
  },
  {
    of: ['EndpointChangeBody'],
    fields: { enabled: ['false: no event is sent; true: continue after the last delivered event.'] },
  },
  {
    of: ['RotateSecretBody'],
    fields: { previous_valid_hours: ['How long the secret before it signs as well.', 24, 'hours'] },
  },
  {
    of: ['ReplayBody', 'WebhookReplay'],
    fields: {
      event: ['The event that is sent again, by its id.', EVENT],
      since: ['Every event from this time on is sent again; at most 30 days ago, not in the future.', WHEN],
    },
  },
  {
    of: ['WebhookDelivery'],
    fields: {
      event_id: ['The event, which is the `webhook-id` of each attempt.', EVENT],
      type: ['The type of the event.', 'signal.detected'],
      occurred_at: ['When the event occurred, in UTC.', WHEN],
      status: ['`retrying`: another attempt follows. `failed`: ten attempts failed; it can be replayed.'],
      next_attempt_at: ['When the next attempt is due, in UTC and in real time; null: none follows.', WHEN],
      attempts: ['Each attempt, the oldest first.'],
    },
  },
  {
    of: ['WebhookAttempt'],
    fields: {
      at: ['When the attempt began, in UTC and in real time.', WHEN],
      outcome: ['Outcome: `delivered` is a status of 2xx within 15 s.'],
      status_code: ['Status of the response; null without one.', 503, 'an HTTP status'],
      duration_ms: ['Time until the head of the answer.', 87, 'milliseconds'],
      answer: [
        'The first 200 characters of an answer that was no success; null: there is none, or it may not be shown.',
        'try later',
      ],
      is_replay: ['Whether a replay made the attempt.'],
    },
  },
  {
    of: ['listWebhookDeliveries'],
    fields: {
      status: ['Only deliveries of this status.'],
      before: ['Only deliveries of events before this one: the `event_id` of the last row of a page.', EVENT],
    },
  },
  { of: ['WebhookDeliveryPage'], fields: { data: ['The deliveries, the newest event first.'] } },
  {
    of: ['WebhookDeliveryPageMeta'],
    fields: { has_more: ['Whether more deliveries follow behind the last of this page.'] },
  },
];
