import createFetchClient, { type Client, type ClientOptions } from 'openapi-fetch';
import type { paths } from './schema.js';

export * from './paging.js';
export type * from './schema.js';

/** Every operation of the API under its path, typed as the service describes itself: `client.GET('/api/v2/agents')`. */
export type SignalClient = Client<paths>;

/**
 * A client for one workspace. `baseUrl` is where the service answers, `apiKey` the key of the workspace; what else
 * can be set (headers, a fetch of your own) is handed to openapi-fetch.
 */
export function createClient({
  apiKey,
  headers,
  ...options
}: ClientOptions & { readonly baseUrl: string; readonly apiKey: string }): SignalClient {
  const client = createFetchClient<paths>({ ...options, ...(headers === undefined ? {} : { headers }) });
  client.use({
    onRequest: ({ request }) => {
      request.headers.set('authorization', `Bearer ${apiKey}`);
    },
  });
  return client;
}
