import { Inject } from '@nestjs/common';
import { Endpoint, type EndpointRequest } from '#http/endpoint.js';
import { invalidRequest, RequestRefused } from '#http/problem.js';
import { anyJson } from '#http/raw-body.js';
import { reply } from '#http/reply.js';
import type { McpParts } from './mcp-parts.js';
import type { AnswerMessage } from './serve-messages.js';

export const MCP_DOOR = Symbol('McpDoor');

/** The address of the MCP endpoint in problem documents of its tools. */
const PATH = '/mcp';

@Endpoint({
  caller: 'apiKey',
  route: 'POST /mcp',
  summary: 'Tools for assistants (Model Context Protocol)',
  description:
    'One JSON-RPC message of the Model Context Protocol, revision 2026-07-28 or 2025. There are no ' +
    'sessions: each message carries all that its answer needs.',
  protocol: 'Model Context Protocol',
  headers: ['accept', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'origin'],
  body: anyJson,
  // A read-only key may call it; the messages of the tools have rules of their own.
  readsOnly: true,
  otherStatuses: [202, 400, 404, 406],
})
export class AnswerMcpMessage {
  private answering: Promise<AnswerMessage> | null = null;

  constructor(@Inject(MCP_DOOR) private readonly parts: McpParts) {}

  async handle(request: EndpointRequest<{ body: unknown }>) {
    const { body, headers } = request;
    requireOrigin(headers['origin'], this.parts.origins);
    if (Array.isArray(body)) throw invalidRequest('body', 400, undefined, 'Send one message, not a batch.');
    if (typeof body !== 'object' || body === null)
      throw invalidRequest('body', 400, undefined, 'The request body must be a JSON object.');
    this.answering ??= import('./serve-messages.js').then(({ serveMessages }) => serveMessages(this.parts));
    const answer = await this.answering;
    const { workspaceId, apiKeyId, isReadOnly, requestId, context } = request;
    const { status, contentType, text } = await answer({
      body,
      headers,
      call: {
        caller: { kind: 'apiKey', workspaceId, keyId: apiKeyId, isReadOnly },
        requestId,
        traceparent: context.traceparent,
        url: PATH,
      },
    });
    // Bytes, because Fastify would write a JSON text as a JSON string, and an empty text as `null`.
    return reply(Buffer.from(text), {
      status,
      ...(contentType === null ? {} : { headers: { 'content-type': contentType } }),
    });
  }
}

/** A page of another origin must not call with a leaked key; programs send no origin. */
function requireOrigin(origin: string | undefined, allowed: readonly string[]): void {
  if (origin === undefined || allowed.includes(origin)) return;
  throw new RequestRefused({
    status: 403,
    detail: 'Pages of this origin may not call: CORS_ORIGINS does not name it.',
  });
}
