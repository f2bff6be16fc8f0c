import {
  Client,
  StreamableHTTPClientTransport,
  type CallToolResult,
  type ElicitResult,
  type Transport,
} from '@modelcontextprotocol/client';
import { employed, observedCompany, observedPerson, observedPost } from './observed-network.js';
import { KEYWORD_TEMPLATE, signalSetup } from './signal-runs.js';
import { scene, type Scene, type SceneOptions } from './scene.js';
import type { TestWorkspace } from './service.js';

/** The revisions of the protocol that a client supports. */
export const ERAS = ['2026-07-28', '2025-11-25'] as const;
export type Era = (typeof ERAS)[number];

/** A connected client of the protocol; `ask` answers questions to a person; absent: it cannot ask. */
export async function mcpClient(
  transport: Transport,
  { era = '2026-07-28', ask }: { readonly era?: Era; readonly ask?: (message: string) => ElicitResult } = {},
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    {
      capabilities: ask === undefined ? {} : { elicitation: { form: {} } },
      versionNegotiation: { mode: era === '2026-07-28' ? { pin: era } : 'legacy' },
    },
  );
  if (ask !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }) => ask(params.message));
  await client.connect(transport);
  return client;
}

/** Over HTTP with this key. */
export const overHttp = (url: string, apiKey: string): Transport =>
  new StreamableHTTPClientTransport(new URL('/mcp', url), {
    requestInit: { headers: { authorization: `Bearer ${apiKey}` } },
  });

/** The answer of a tool; throws if it is an error. */
export async function answerOf(
  client: Client,
  name: string,
  given: Record<string, unknown> = {},
  // The shape is what the test asserts.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
): Promise<any> {
  const result = await client.callTool({ name, arguments: given });
  if (result.isError === true) throw new Error(`${name}: ${JSON.stringify(result.content)}`);
  return result.structuredContent;
}

/** The problem document of a refused call; throws if it is not refused. */
export async function problemOf(
  client: Client,
  name: string,
  given: Record<string, unknown> = {},
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
): Promise<any> {
  const result = await client.callTool({ name, arguments: given });
  if (result.isError !== true) throw new Error(`${name}: ${JSON.stringify(result.structuredContent)}`);
  return result.structuredContent;
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
};

/** A client of 2026-07-28 that sends one message of the test. */
export type RawMcp = (
  method: string,
  params: Record<string, unknown>,
  options?: { readonly asks?: boolean; readonly headers?: Record<string, string> },
) => Promise<{
  readonly status: number;
  readonly type: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
}>;

export const rawMcp =
  (url: string, apiKey: string): RawMcp =>
  async (method, params, { asks = true, headers = {} } = {}) => {
    const { name } = params;
    const clientCapabilities = asks ? { elicitation: { form: {} } } : {};
    const _meta = { ...META, 'io.modelcontextprotocol/clientCapabilities': clientCapabilities };
    const answer = await fetch(new URL('/mcp', url), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
    });
    const text = await answer.text();
    const type = answer.headers.get('content-type') ?? '';
    return { status: answer.status, type, body: text === '' ? null : JSON.parse(text) };
  };

/** The problem document of a tool that answers with an error. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export const problemIn = ({ body }: { readonly body: { readonly result?: CallToolResult } }): any =>
  body.result?.isError === true ? body.result.structuredContent : null;

export const SCENE_AT = '2026-06-01T10:00:00.000Z';

/** A service whose network has this many posts that mention a CRM: 10 credits each. */
export const crmScene = (posts = 5, options: Pick<SceneOptions, 'settings' | 'outside'> = {}): Scene =>
  scene({
    at: SCENE_AT,
    ...options,
    network: [
      observedCompany('acme'),
      observedPerson('author', {
        ...employed('acme', 'VP Sales'),
        geo: { country: 'France', country_code: 'FR' },
      }),
      ...Array.from({ length: posts }, (_, index) =>
        observedPost(
          `post-${index}`,
          'author',
          'a crm',
          `2026-05-01T09:${String(index).padStart(2, '0')}:00Z`,
        ),
      ),
    ],
  });

/** A setup of a workspace that watches for the posts of `crmScene`, and a persona whose signals have a price. */
export async function crmSetup(workspace: TestWorkspace): Promise<number> {
  await workspace.call('POST /api/v2/personas', { job_title: ['VP Sales'], location: ['France'] });
  return signalSetup(workspace, KEYWORD_TEMPLATE, { tracking_keywords: ['crm'] });
}
