import { isObject } from '#kernel/values/json.js';
import type { DeclaredEndpoint } from './endpoint.js';
import { takesIdempotencyKey } from './idempotency.js';
import { ROW_TYPES } from './row-stream.js';
import { isLimited } from './rate-limit.js';
import type { Documented } from './openapi-schemas.js';

const text = (description: string, more: object = {}) => ({
  description,
  schema: { type: 'string', ...more },
});
const count = (description: string, minimum = 0) => ({
  description,
  schema: { type: 'integer', minimum },
});

const CREDITS = '^-?\\d{1,10}(\\.\\d{1,6})?$';

/** All response headers by name: the description, and whether every answer has it. */
export const headerComponents: { readonly [name: string]: Documented } = {
  'X-Request-Id': {
    ...text('Id of this request in the log; a valid id that was sent is returned', {
      pattern: '^[A-Za-z0-9._-]{1,128}$',
    }),
    required: true,
  },
  'X-Response-Time': { ...text('Time in the service', { pattern: '^\\d+\\.\\dms$' }), required: true },
  'Cache-Control': {
    ...text('Responses are not stored; with an `ETag` they are revalidated', {
      enum: ['no-store', 'no-cache'],
    }),
    required: true,
  },
  ETag: {
    ...text('Tag of this response, for `If-None-Match`', { pattern: '^W/"[\\w-]+"$' }),
    required: true,
  },
  'RateLimit-Limit': count('Number of requests that may be sent at once; absent without a limit'),
  'RateLimit-Remaining': count('Remaining requests'),
  'RateLimit-Reset': count('Seconds until the whole number is available again'),
  'X-Total-Count': { ...count('Rows of the whole collection'), required: true },
  'X-Page': { ...count('Requested page', 1), required: true },
  'X-Page-Size': { ...count('Rows of a full page', 1), required: true },
  'X-Page-Count': { ...count('Number of pages'), required: true },
  'Retry-After': count('Seconds to wait before a retry', 1),
  'Next-Cursor': text('Cursor of the rows after a stream of NDJSON or CSV; absent if none follow'),
  Location: { ...text('Address of the page'), required: true },
  'WWW-Authenticate': { ...text('How to authenticate', { const: 'Bearer' }), required: true },
  'Idempotency-Replayed': text('This is the first answer to this Idempotency-Key again', { const: 'true' }),
  'Ignored-Fields': text(
    'Body fields and query parameters that did nothing, percent-encoded; `more;n=` counts those not named',
    { maxLength: 1024 },
  ),
  'Preference-Applied': text('The applied part of `Prefer`', {
    pattern: '^(handling=strict)?(, )?(wait=\\d+)?$',
    examples: ['handling=strict'],
  }),
  'Credits-Charged': text('Credits that this request was charged, held ones included; 0 for a repetition', {
    pattern: CREDITS,
  }),
  'Credits-Remaining': text('Credits that can be spent after it', { pattern: CREDITS }),
  Deprecation: {
    ...text('Since when the path is deprecated (RFC 9745); `Link` names its successor', {
      pattern: '^@\\d+$',
    }),
    required: true,
  },
  Link: { ...text('The successor of a deprecated path'), required: true },
  Sunset: text('When a deprecated path goes'),
};

const ALWAYS = ['X-Request-Id', 'X-Response-Time', 'Cache-Control'];
const LIMITED = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
const PARSED = ['Ignored-Fields', 'Preference-Applied'];
const PAGE = ['X-Total-Count', 'X-Page', 'X-Page-Size', 'X-Page-Count'];

/** The headers of one answer of an endpoint, as references into `components`. */
export function headersOf(declared: DeclaredEndpoint, status: number): Documented {
  const names = [
    ...ALWAYS,
    ...(isLimited(declared) && status !== 401 ? LIMITED : []),
    ...(declared.caller === 'apiKey' && status !== 401 ? PARSED : []),
    ...(status < 300 && isPage(declared) ? PAGE : []),
    ...(status < 300 ? creditHeadersOf(declared) : []),
    ...(status === 429 || status === 503 || status === 409 ? ['Retry-After'] : []),
    ...(status < 300 && declared.otherTypes === ROW_TYPES ? ['Next-Cursor'] : []),
    ...(status < 300 && declared.isRunning !== undefined ? ['Retry-After'] : []),
    ...(declared.kept !== undefined && status < 400 ? ['ETag'] : []),
    ...(status === 303 ? ['Location'] : []),
    ...(status === 401 ? ['WWW-Authenticate'] : []),
    ...(takesIdempotencyKey(declared) && status < 500 && status !== 401 && status !== 429
      ? ['Idempotency-Replayed']
      : []),
    ...(declared.deprecated === undefined ? [] : ['Deprecation', 'Link', 'Sunset']),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function creditHeadersOf({ reportsCredits }: DeclaredEndpoint): readonly string[] {
  switch (reportsCredits) {
    case undefined:
      return [];
    case 'remaining':
      return ['Credits-Remaining'];
    case 'charged and remaining':
      return ['Credits-Charged', 'Credits-Remaining'];
  }
}

function isPage({ response }: DeclaredEndpoint): boolean {
  const meta: unknown = response?.['properties']?.['meta'];
  return isObject(meta) && isObject(meta['properties']) && 'pagination' in meta['properties'];
}
