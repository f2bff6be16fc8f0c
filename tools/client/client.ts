import createFetchClient, { type Client, type ClientOptions } from 'openapi-fetch';
import { withRetries } from './retries.js';
import type { paths } from './schema.js';

export * from './paging.js';
export type * from './schema.js';
export * from './verify.js';

/** Every operation of the API by its path, typed from the OpenAPI document: `client.GET('/api/v2/agents')`. */
export type SignalClient = Client<paths>;

export type SignalClientOptions = ClientOptions & {
  /** The address of the service. */
  readonly baseUrl: string;
  /** The API key of the workspace. */
  readonly apiKey: string;
  /** Whether unknown fields and parameters are refused; otherwise the service ignores them. Default: true. */
  readonly strict?: boolean;
  /** How often a request that was answered 429 or 503, or 409 while the first with its key runs, is retried; default 3, 0 for never. */
  readonly retries?: number;
};

/** A client for one workspace. Further options (headers, another fetch) are passed to openapi-fetch. */
export function createClient({
  apiKey,
  strict = true,
  retries = 3,
  fetch = (request) => globalThis.fetch(request),
  ...options
}: SignalClientOptions): SignalClient {
  const client = createFetchClient<paths>({ ...options, fetch: withRetries(fetch, retries) });
  client.use({
    onRequest: ({ request }) => {
      request.headers.set('authorization', `Bearer ${apiKey}`);
      // In addition to the preferences of the call, such as `wait=20`.
      if (strict) request.headers.append('prefer', 'handling=strict');
    },
  });
  return client;
}
