import createFetchClient, { type Client, type ClientOptions } from 'openapi-fetch';
import { withRetries } from './retries.js';
import type { paths } from './schema.js';

export * from './paging.js';
export type * from './schema.js';
export * from './verify.js';

/** Every operation of the API under its path, typed as the service describes itself: `client.GET('/api/v2/agents')`. */
export type SignalClient = Client<paths>;

export type SignalClientOptions = ClientOptions & {
  /** Where the service answers. */
  readonly baseUrl: string;
  /** The key of the workspace. */
  readonly apiKey: string;
  /** Whether fields and parameters that the service does not know are refused; else it ignores them. true when absent. */
  readonly strict?: boolean;
  /** How often a request that was answered 429 or 503 is sent again; 3 when absent, 0 never. */
  readonly retries?: number;
};

/** A client for one workspace. What else can be set (headers, a fetch of your own) is handed to openapi-fetch. */
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
      // Beside what the call itself prefers, such as `wait=20`.
      if (strict) request.headers.append('prefer', 'handling=strict');
    },
  });
  return client;
}
