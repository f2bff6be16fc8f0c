import {
  CLIENT_CAPABILITIES_META_KEY,
  createMcpHandler,
  inputRequired,
  inputResponse,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { JsonObject } from '#kernel/values/json.js';
import { guardOf } from '#kernel/values/schema-guard.js';
import { Type } from '#kernel/values/schema.js';
import { nearestName } from '#kernel/values/known-names.js';
import type { DispatchCall } from '#http/dispatch.js';
import { confirmations } from './confirmations.js';
import type { McpParts } from './mcp-parts.js';
import { listedTool, pricesOfSignals } from './tools/listed-tool.js';
import { explainSignal } from './tools/explain-signal.tool.js';
import { launchRun } from './tools/launch-run.tool.js';
import { readingTools } from './tools/reading-tools.js';
import { problemOutcome, type Tool, type ToolCall, type ToolOutcome } from './tools/tool.js';

/** A message over HTTP, from an admitted caller. */
export type McpMessage = {
  readonly body: object;
  readonly headers: { readonly [name: string]: string | undefined };
  readonly call: DispatchCall;
};

/** The answer; `contentType` is null if it has no content. */
export type McpAnswer = {
  readonly status: 200 | 202 | 400 | 404 | 406;
  readonly contentType: string | null;
  readonly text: string;
};
export type AnswerMessage = (message: McpMessage) => Promise<McpAnswer>;

const INSTRUCTIONS =
  'Signals are buying signals that were detected about companies and people. Reading is free. launch_run spends prepaid ' +
  'credits: quote it first with quote_run, which is free, and set max_credits. A refusal is an error with ' +
  'structured content: title, status, detail, and errors by argument. No tool raises a budget or a cap: where credits ' +
  'or a cap are not enough, tell the person.';

/** A key may cache a list for a minute: prices change seldom. */
const LIST_KEPT_MS = 60_000;

/** The only question of a call. */
const QUESTION = 'confirm';
const YES = 'launch';

/** Answers messages of the Model Context Protocol with the tools of this service. Stateless between messages. */
export function serveMessages(parts: McpParts): AnswerMessage {
  const { dispatch, cursors, clock, logger, version } = parts;
  const own = { dispatch, confirmations: confirmations(cursors, clock) };
  const tools: readonly Tool[] = [...readingTools, explainSignal, launchRun].map((make) => make(own));
  const byName = new Map(tools.map((tool) => [tool.name, tool]));

  /** The caller of each request of the library. */
  const calls = new WeakMap<Request, DispatchCall>();

  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const call = requestInfo === undefined ? undefined : calls.get(requestInfo);
      if (call === undefined) throw new Error('a message without its caller');
      const mcp = new McpServer(
        { name: 'signal-ledger', title: 'Signal Ledger', version },
        {
          capabilities: { tools: { listChanged: false } },
          instructions: INSTRUCTIONS,
          cacheHints: { 'tools/list': { ttlMs: LIST_KEPT_MS, cacheScope: 'private' } },
        },
      );
      // Arguments are validated by the declarations of the messages, which name the faults, and not by the library.
      mcp.server.setRequestHandler('tools/list', async () => {
        const prices = await pricesOfSignals(dispatch, call);
        const offered = tools.filter(({ hints }) => hints.readOnlyHint || call.caller.isReadOnly !== true);
        return { tools: offered.map((tool) => listedTool(tool, prices)) };
      });
      mcp.server.setRequestHandler('tools/call', async ({ params }, context) => {
        const tool = byName.get(params.name);
        if (tool === undefined) throw unknownTool(params.name, byName.keys());
        const outcome = await carryOut(tool, jsonOf(params.arguments), { ...call, ...askingOf(context) });
        return resultOf(outcome);
      });
      return mcp;
    },
    {
      onerror: (error) => logger.debug({ err: error }, 'a message of the Model Context Protocol was refused'),
    },
  );

  /** Never rejects: an error becomes a problem of the call. */
  async function carryOut(tool: Tool, given: JsonObject, call: ToolCall): Promise<ToolOutcome> {
    const outcome = await tool
      .carryOut(given, call)
      .catch((error: unknown): ToolOutcome => problemOutcome(dispatch.problemFor(error, call)));
    logger.info(
      {
        requestId: call.requestId,
        workspaceId: call.caller.workspaceId,
        tool: tool.name,
        outcome: outcome.kind,
        problem: outcome.kind === 'problem' ? outcome.slug : null,
      },
      'tool call',
    );
    return outcome;
  }

  return async ({ body, headers, call }) => {
    const request = new Request('http://service.invalid/mcp', {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        ...Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)),
        'content-type': 'application/json',
      },
    });
    calls.set(request, call);
    const response = await handler.fetch(request, { parsedBody: body });
    // No tool reports progress, so every answer ends, also one sent as an event stream.
    const text = await response.text();
    return {
      status: statusOf(response.status),
      contentType: text === '' ? null : response.headers.get('content-type'),
      text,
    };
  };
}

/** The parsed value of a JSON text. */
const jsonOf = (parsed: Record<string, unknown> = {}): JsonObject => Object(parsed);

const asks = guardOf(
  Type.Object({
    [CLIENT_CAPABILITIES_META_KEY]: Type.Object({
      elicitation: Type.Object({ form: Type.Optional(Type.Unknown()), url: Type.Optional(Type.Unknown()) }),
    }),
  }),
);
/** A client that names no mode supports forms. */
const showsForms = ({ form, url }: { readonly form?: unknown; readonly url?: unknown }): boolean =>
  form !== undefined || url === undefined;

/** Whether the client can ask a person, and the answer of the person. */
function askingOf({ mcpReq }: ServerContext): Pick<ToolCall, 'canAsk' | 'answered'> {
  const { envelope } = mcpReq;
  const canAsk = asks(envelope) && showsForms(envelope[CLIENT_CAPABILITIES_META_KEY].elicitation);
  const state = mcpReq.requestState<string>();
  if (state === undefined) return { canAsk, answered: null };
  const view = inputResponse(mcpReq.inputResponses, QUESTION);
  const answer =
    view.kind !== 'elicit' ? null : view.action === 'accept' && view.content?.[YES] === true ? 'yes' : 'no';
  return { canAsk, answered: { state, answer } };
}

function resultOf(outcome: ToolOutcome) {
  switch (outcome.kind) {
    case 'answer':
      return {
        content: [{ type: 'text', text: JSON.stringify(outcome.data) }],
        structuredContent: JSON.parse(JSON.stringify(outcome.data)),
      } satisfies CallToolResult;
    case 'problem':
      return {
        isError: true,
        content: [{ type: 'text', text: textOfProblem(outcome.document) }],
        structuredContent: { ...outcome.document },
      } satisfies CallToolResult;
    case 'question':
      return inputRequired({
        inputRequests: {
          [QUESTION]: inputRequired.elicit({
            message: outcome.message,
            requestedSchema: {
              type: 'object',
              properties: { [YES]: { type: 'boolean', title: outcome.yes, default: false } },
              required: [YES],
            },
          }),
        },
        requestState: outcome.state,
      });
  }
}

/** A problem in words, one line per argument. */
function textOfProblem({ title, status, detail, errors }: JsonObject): string {
  const faults = typeof errors === 'object' && errors !== null ? Object.entries(errors) : [];
  return [
    `${String(title)} (${String(status)}): ${String(detail)}`,
    ...faults.map(([field, messages]) => `${field}: ${[messages].flat().join('; ')}`),
  ].join('\n');
}

function unknownTool(name: string, known: Iterable<string>): ProtocolError {
  const nearest = nearestName(name, known);
  const hint = nearest === null ? 'tools/list lists the tools' : `${nearest} is one`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool of this name; ${hint}.`);
}

/** The statuses of the protocol; any other is a fault of the service. */
function statusOf(status: number): McpAnswer['status'] {
  switch (status) {
    case 200:
    case 202:
    case 400:
    case 404:
    case 406:
      return status;
    default:
      throw new Error(`the Model Context Protocol was answered with ${status}`);
  }
}
