import { deliverySchema, TEST_TYPE, type DeliveredType } from '#delivery/answers/event.view.js';
import type { DeclaredWebhook } from '#http/openapi-webhooks.js';

const WHEN = '2026-06-01T10:00:00.000Z';

type EventText = readonly [
  summary: string,
  description: string,
  shown?: { readonly data: { readonly [field: string]: unknown } },
];

/** The description of each event type, and the values of its example that differ from those of the fields. */
const eventTexts: { readonly [Type in DeliveredType]: EventText } = {
  'signal.detected': [
    'A signal was found',
    'Once for each signal, when it is found, with what it cost.',
    { data: { signal_template_key: 'keyword-post-search' } },
  ],
  'run.ended': [
    'A run has ended',
    'Once for each run, whether it was completed, failed or was cancelled: `stage` says which.',
    { data: { stage: 'completed' } },
  ],
  'account.not_covered': [
    'A month of an account was not paid',
    'Once for each company and business unit when it becomes uncovered, not for each retry of its month.',
  ],
  'account.covered_again': [
    'An account is covered again',
    'Once, when a month of the company and business unit is paid after it had not been covered.',
  ],
  'credits.low': [
    'The balance has come down to a threshold',
    'Once for each threshold of the workspace, in credits or in days; again after the balance was above it.',
    { data: { threshold_days: null, ends_on: null } },
  ],
  'credits.run_out': [
    'The balance has run out',
    'Once, when nothing more can be paid; again after credits came.',
  ],
  'credits.expiring': ['Credits are about to expire', 'Once for each grant whose credits expire soon.'],
  'cap.reached': [
    'A cap is reached',
    'Once a period for each cap, when it has refused something.',
    { data: { scope_id: null } },
  ],
  'mapping.completed': [
    'A company was mapped',
    'Once for each mapping and each repetition of it, when its outcome is known.',
    { data: { status: 'complete' } },
  ],
  'content_request.failed': [
    'Content could not be found',
    'Once for each request for content that has failed.',
    { data: { type: 'account_mapping', stage: 'account_mapping_failed' } },
  ],
  'top_account.resolved': [
    'A company of the top accounts was found',
    'Once for each time that an account is submitted and the network knows it.',
    { data: { monitoring: { not_covered_since: null, not_covered_reason: null } } },
  ],
  'list.member_unresolved': [
    'A member of a list was not found',
    'Once for each time that members are submitted and the network does not know one of them.',
  ],
  'endpoint.disabled': [
    'A webhook endpoint was disabled',
    'Delivered to every other endpoint and the feed: `disabled_reason` says why.',
    { data: { enabled: false, disabled_reason: 'gone', disabled_at: WHEN } },
  ],
  [TEST_TYPE]: [
    'A test',
    'Only after a request for a test. It is in no feed, is not retried, and says nothing about the endpoint.',
    { data: { disabled_reason: null, disabled_at: null } },
  ],
};

const COMMON =
  'Answer with a status of 2xx within 15 seconds. Ignore types that you do not know: later versions add some. Order is ' +
  'not promised: `previous_id` is the event before it that the endpoint asks for. An event may come again, with the same ' +
  '`webhook-id`. An endpoint with `format` `slack` is sent a message for Slack instead.';

const isDelivered = (type: string): type is DeliveredType => type in eventTexts;

/** The events sent to webhook endpoints, for the OpenAPI document. */
export const webhookEvents: readonly DeclaredWebhook[] = Object.keys(eventTexts)
  .filter(isDelivered)
  .map((type) => {
    const [summary, means, shown] = eventTexts[type];
    return {
      name: type,
      summary,
      description: `${means} ${COMMON}`,
      tag: 'webhook-endpoints',
      body: deliverySchema(type),
      ...(shown === undefined ? {} : { shown }),
    };
  });
