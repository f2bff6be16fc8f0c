import type { Guides } from '#http/guides.js';
import { FIRST_STEPS } from './first-steps.js';
import { vocabularyTable } from './vocabularies.js';

/** What a reader should know before the first request; each part a heading of its own. */
const description = `
Signals about companies and people, and the credits they cost. The same for programs: [openapi.json](/openapi.json).

## First signal in five minutes

Take an API key from your operator, and set \`BASE_URL\` and \`API_KEY\`. Describe whom you want to reach, set up a signal of the
catalogue, launch it, wait for it, and read what was found and what it cost:

\`\`\`
${FIRST_STEPS}
\`\`\`

\`Prefer: wait=20\` lets a request about something that is running wait for its end, 20 seconds at most. \`stage\` says
whether the run has ended. \`GET /api/v3/signal-templates\` lists the catalogue with the parameters of each signal.

## Words of v2 and v3

A few things have two names. Both name the same things, with the same ids.

${vocabularyTable()}

## Authentication

Every request carries \`Authorization: Bearer <API_KEY>\`, but for those about the service itself. The key says which
workspace it is; what belongs to another one is answered as if it were not there. Without a good key every path is 401.

## Paging

Collections with \`page\` and \`page_size\` answer \`meta.pagination\`, and the same in \`X-Total-Count\`, \`X-Page\`,
\`X-Page-Size\` and \`X-Page-Count\`. Collections that grow at the top have a \`cursor\`: send back what the page before
answered, with the same filters; null means that nothing follows.

## Idempotency

A POST with an \`Idempotency-Key\` is carried out once: the same key with the same request is answered as the first time for
24 hours, with \`Idempotency-Replayed: true\`. With another request it is 422, while the first one is under way 409. Routes
that only read ignore it.

## Rate limits

\`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` say how many requests may still come and after how many
seconds all of them may again. Beyond that the answer is 429 with \`Retry-After\` in seconds.

## Fields that are not known

Fields and parameters that nobody knows are ignored and named in \`Ignored-Fields\`. With \`Prefer: handling=strict\` they
are refused instead. Text with NUL characters is refused everywhere. What is not HTTP, and headers that are too long, are 400 on every path; a method that a path does not
have is 405 with \`Allow\`; HEAD is GET without the body.

## Errors

Whatever is refused is answered with a problem document (RFC 9457). On paths of v2 its \`type\` links to what it means; on
paths of v3 it is \`about:blank\` and \`title\` tells them apart. \`errors\` names each field with what is wrong.
`;

/** After the guides: every type of problem, with what it means. */
const charging = `
## Credits and charging

Work that costs is held first (\`held\`), then paid (\`captured\`) when it is done or given back (\`released\`) when it is
not. A match of a keyword agent costs 10 credits, a signal of the catalogue what its template says, an enrichment 1 credit
for each persona and 1 for each profile that is analysed, a monitored account the price of its bucket each month. A call
that the balance does not cover is 402 and changes nothing; a run whose balance ends keeps what it paid for.
\`/api/v3/credits/movements\` says what was charged for what, \`/api/v3/credits/statement\` adds up.

## Events and webhooks

\`GET /api/v3/events\` lists what happened in the workspace, in one order: with a \`cursor\`, or as a stream with
\`Accept: text/event-stream\`. A webhook endpoint is sent the same events, signed by the rules of
Standard Webhooks (standardwebhooks.com). The id of an event is its cursor, its \`Last-Event-ID\` and its
\`webhook-id\`. Verify the signature over the body as it came (the typed client has \`verify\`), do nothing twice for one
id, and ignore types that you do not know: later versions add types, and members of \`data\`.

## Observations

What is found comes from observations of a professional network that an operator takes in: companies, people, posts,
interactions, job postings, head counts and events of companies. Nothing is asked of the network for a request.
`;

const GROUPS = {
  'Find signals': {
    agents: 'What looks for signals in v2: by keywords, at lists, at career moves.',
    'signal-templates': 'The catalogue of signals of v3.',
    'signal-buckets': 'Groups of the catalogue with one price for watching an account.',
    keywords: 'What keywords would find, before they are watched.',
    'signal-setups': 'Signals of the catalogue as a workspace has set them up.',
    'signal-runs': 'Launching agents and setups, and how far they are.',
    signals: 'What was found.',
    contents: 'Posts, comments and job postings behind signals.',
  },
  'Whom it is about': {
    personas: 'Business units and whom they want to reach.',
    persona: 'The oldest persona; deprecated.',
    lists: 'Lists of companies and people, and their members.',
    watchlists: 'The older path to lists; deprecated.',
    'top-account-list': 'The accounts that matter most, and which of them are monitored.',
    companies: 'Companies that signals are about.',
    leads: 'People whom signals are about.',
    'workspace-leads': 'Where these people are.',
    'enrich-company-mapping': 'Finding out who works at a company.',
    'account-mapping': 'How far that is.',
    'company-mappings': 'Who works at a company.',
    'content-requests': 'Background work on companies.',
  },
  'What happens': {
    events: 'What happened in the workspace, in order.',
    'webhook-endpoints': 'Where events are sent as they happen, signed.',
  },
  'What it costs': {
    credits: 'The balance, what was charged, statements.',
    usage: 'What was charged, in short.',
    'account-monitoring': 'What monitored accounts cost.',
  },
  'The service': { service: 'Health, this document, and what problems mean.' },
} as const;

export const apiGuides: Guides = { description, after: charging, groups: GROUPS };
