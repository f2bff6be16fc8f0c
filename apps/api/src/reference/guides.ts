import type { Guides } from '#http/guides.js';
import { FIRST_STEPS } from './first-steps.js';
import { vocabularyTable } from './vocabularies.js';

/** The guides to read before the first request; each part has its own heading. */
const description = `
Signals about companies and people, and the credits that they cost. This reference as OpenAPI: [openapi.json](/openapi.json).

## First signal in five minutes

Get an API key from your operator, and set \`BASE_URL\` and \`API_KEY\`. The steps describe your customers, set up a signal of the
catalogue, launch a run, wait for it, and read the signals and their cost:

\`\`\`
${FIRST_STEPS}
\`\`\`

With \`Prefer: wait=20\` the response to a polling request waits until the work has ended, at most 20 seconds. \`stage\` shows
whether the run has ended. \`GET /api/v3/signal-templates\` lists the catalogue with the parameters of each signal.

## Words of v2 and v3

Some objects have a different name in v2 and v3. They are the same objects with the same ids.

${vocabularyTable()}

## Authentication

Send \`Authorization: Bearer <API_KEY>\` with every request; only the routes about the service need no key. The key determines
the workspace. Objects of other workspaces are not found (404). A call without a
valid key is 401, whatever else is wrong with it; a path that does not exist is 404, and a wrong method 405, with or without a key.

## Paging

Collections with \`page\` and \`page_size\` return \`meta.pagination\`, and the same numbers in the headers \`X-Total-Count\`, \`X-Page\`,
\`X-Page-Size\` and \`X-Page-Count\`. Collections that grow at the top return a \`cursor\`: send it with the same filters to get the
next page; null means that there is no next page.

## Idempotency

A POST with an \`Idempotency-Key\` is executed once. For 24 hours the same request with the same key gets the first response
again, with \`Idempotency-Replayed: true\`. A different request with the same key is 422; a repetition while the first request is
running is 409. Routes that only read ignore the header.

## Rate limits

\`RateLimit-Limit\` is the number of requests that may come at once, \`RateLimit-Remaining\` the number that is left, and
\`RateLimit-Reset\` the seconds until the whole number is available again. Further requests are 429 with \`Retry-After\` in seconds.

## Fields that are not known

Unknown fields and parameters are ignored and listed in \`Ignored-Fields\`. With \`Prefer: handling=strict\` they are refused.
Text with NUL characters is always refused. Malformed HTTP and headers that are too long are 400 on every path. An unsupported method
is 405 with \`Allow\`. HEAD is GET without the body.

## Errors

Every refusal is a problem document (RFC 9457). On paths of v2 its \`type\` is the address of its description. On paths of v3 \`type\`
is \`about:blank\` and \`title\` identifies the problem. \`errors\` lists the faults of each field.
`;

/** After the guides: every type of problem with its meaning. */
const charging = `
## Credits and charging

The credits for priced work are held first (\`held\`). They are \`captured\` when the work is done and \`released\` if it fails. A match
of a keyword agent costs 10 credits, a signal of the catalogue the price of its template, an enrichment 1 credit
per persona and 1 per analysed profile, a monitored account the price of its bucket each month. A call
that the balance does not cover is 402 and changes nothing. A run keeps its paid signals when the balance is used up.
\`/api/v3/credits/movements\` lists every charge with its cause, \`/api/v3/credits/statement\` sums them up.

## Events and webhooks

\`GET /api/v3/events\` lists the events of the workspace in one order: page by page with a \`cursor\`, or as a stream with
\`Accept: text/event-stream\`. A webhook endpoint gets the same events, signed as Standard Webhooks (standardwebhooks.com)
defines it. The id of an event is its cursor, its \`Last-Event-ID\` and its \`webhook-id\`. Verify the signature over the unchanged
body (the typed client has \`verify\`), process each id once, and ignore unknown types: later versions add types and members of
\`data\`.

## Observations

Signals are found in observations of a professional network that an operator ingests: companies, people, posts,
interactions, job postings, head counts and events of companies. No request of the API reads the network itself.
`;

const GROUPS = {
  'Find signals': {
    agents: 'Agents of v2 look for signals: by keywords, on lists, by career moves.',
    'signal-templates': 'The catalogue of signals of v3.',
    'signal-buckets': 'Groups of the catalogue with one price for watching an account.',
    keywords: 'Counts of the posts that mention keywords.',
    'signal-setups': 'Signals of the catalogue as a workspace has set them up.',
    'signal-runs': 'Launches of agents and setups, and their progress.',
    signals: 'The detected signals.',
    contents: 'Posts, comments and job postings behind signals.',
  },
  'Whom it is about': {
    personas: 'Business units and their customers.',
    persona: 'The oldest persona; deprecated.',
    lists: 'Lists of companies and people, and their members.',
    watchlists: 'The older path to lists; deprecated.',
    'top-account-list': 'The accounts that matter most, and which of them are monitored.',
    companies: 'Companies that signals are about.',
    leads: 'People whom signals are about.',
    'workspace-leads': 'The places of these people.',
    'enrich-company-mapping': 'Search for the people who work at a company.',
    'account-mapping': 'The progress of such a search.',
    'company-mappings': 'The people who work at a company.',
    'content-requests': 'Background work on companies.',
  },
  'What happens': {
    events: 'The events of the workspace, in order.',
    'webhook-endpoints': 'Addresses to which events are sent, signed.',
  },
  'What it costs': {
    credits: 'Balance, charges, statements.',
    usage: 'A short list of the charges.',
    'account-monitoring': 'The cost of monitored accounts.',
  },
  'The service': { service: 'Health, this document, and the problem types.' },
} as const;

export const apiGuides: Guides = { description, after: charging, groups: GROUPS };
