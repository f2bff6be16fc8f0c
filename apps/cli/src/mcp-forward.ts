import {
  isJSONRPCRequest,
  parseJSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Readable, Writable } from 'node:stream';

/** The timeout of an answer: a tool waits 20 s at most. */
const PATIENCE_MS = 120_000;
/** The error code if the service does not answer in the protocol. */
const NOT_ANSWERED = -32_000;

export type Forwarding = {
  /** The MCP endpoint of the service, e.g. `https://signals.example.com/mcp`. */
  readonly url: URL;
  readonly apiKey: string;
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** Called with errors that belong to no request. */
  readonly complain: (message: string) => void;
};

/** Sends each incoming message to a service, and writes its answers. Ends with the input. */
export async function forwardMessages({ url, apiKey, stdin, stdout, complain }: Forwarding): Promise<void> {
  const wire = new StdioServerTransport(stdin, stdout);
  const underWay = new Map<RequestId, AbortController>();
  const answers = new Set<Promise<void>>();
  const forward = forwarder(url, apiKey);

  async function answer(message: JSONRPCMessage): Promise<void> {
    const id = isJSONRPCRequest(message) ? message.id : null;
    const cancelled = new AbortController();
    if (id !== null) underWay.set(id, cancelled);
    try {
      for (const reply of await forward(message, cancelled.signal)) await wire.send(reply);
    } catch (error) {
      if (cancelled.signal.aborted) return;
      const reason =
        error instanceof NotAnswered ? error.message : `The service cannot be reached: ${reasonOf(error)}`;
      if (id === null) complain(reason);
      else await wire.send({ jsonrpc: '2.0', id, error: { code: NOT_ANSWERED, message: reason } });
    } finally {
      if (id !== null) underWay.delete(id);
    }
  }

  wire.onmessage = (message) => {
    const given = cancelledBy(message);
    if (given !== null) {
      // Over HTTP a request is cancelled by closing the connection.
      underWay.get(given)?.abort();
      return;
    }
    const answering = answer(message).catch((error: unknown) => complain(reasonOf(error)));
    answers.add(answering);
    void answering.finally(() => answers.delete(answering));
  };
  wire.onerror = (error) => complain(`a message cannot be read: ${error.message}`);
  const ended = new Promise<void>((resolve) => (wire.onclose = resolve));
  await wire.start();
  await ended;
  for (const cancelled of underWay.values()) cancelled.abort();
  await Promise.all(answers);
}

/** The answer of the service, if it is no message of the protocol. */
class NotAnswered extends Error {}

/** Posts messages; remembers the revision that an `initialize` of 2025 negotiated, for the following messages. */
function forwarder(url: URL, apiKey: string) {
  let agreed: string | null = null;
  return async (message: JSONRPCMessage, gone: AbortSignal): Promise<readonly JSONRPCMessage[]> => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headersOf(message, agreed),
      },
      body: JSON.stringify(message),
      redirect: 'error',
      signal: AbortSignal.any([gone, AbortSignal.timeout(PATIENCE_MS)]),
    });
    const [type, text] = [answer.headers.get('content-type') ?? '', await answer.text()];
    const messages = messagesIn(type, text);
    if (messages === null) throw new NotAnswered(refusalIn(answer.status, type, text));
    for (const each of messages) agreed = revisionIn(message, each) ?? agreed;
    return messages;
  };
}

/** The headers that repeat members of a message. */
function headersOf(message: JSONRPCMessage, agreed: string | null): Record<string, string> {
  if (!('method' in message)) return {};
  const { method, params = {} } = message;
  const { name, _meta: meta } = params;
  const revision = meta?.[PROTOCOL_VERSION_META_KEY];
  if (typeof revision !== 'string') return agreed === null ? {} : { 'mcp-protocol-version': agreed };
  return {
    'mcp-protocol-version': revision,
    'mcp-method': method,
    ...(typeof name === 'string' ? { 'mcp-name': headerText(name) } : {}),
  };
}

const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** A name as a header value; other characters are sent in Base64, as the protocol requires. */
const headerText = (name: string): string =>
  PLAIN.test(name) && !name.startsWith('=?base64?')
    ? name
    : `=?base64?${Buffer.from(name).toString('base64')}?=`;

/** The messages of an answer: one, those of an event stream, or none; null for anything else. */
function messagesIn(type: string, text: string): readonly JSONRPCMessage[] | null {
  if (text === '') return [];
  if (type.startsWith('application/json')) return allMessages([text]);
  if (!type.startsWith('text/event-stream')) return null;
  const events = text.split(/\r?\n\r?\n/).map((event) =>
    event
      .split(/\r?\n/)
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice('data:'.length).trimStart())
      .join('\n'),
  );
  return allMessages(events.filter((data) => data !== ''));
}

/** null if one of the texts is no message. */
function allMessages(texts: readonly string[]): readonly JSONRPCMessage[] | null {
  try {
    return texts.map((text) => parseJSONRPCMessage(JSON.parse(text)));
  } catch {
    return null;
  }
}

/** A refusal in one line: for a problem document, its content. */
function refusalIn(status: number, type: string, text: string): string {
  const other = `The service answered with ${status}.`;
  if (!type.startsWith('application/problem+json')) return other;
  try {
    const { title, detail } = JSON.parse(text);
    return `${String(title)} (${status}): ${String(detail)}`;
  } catch {
    return other;
  }
}

/** The request that a message cancels; null if it cancels none. */
function cancelledBy(message: JSONRPCMessage): RequestId | null {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return null;
  const id = message.params?.['requestId'];
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/** The revision negotiated in the answer to an `initialize`. */
function revisionIn(asked: JSONRPCMessage, answer: JSONRPCMessage): string | null {
  if (!('method' in asked) || asked.method !== 'initialize' || !('result' in answer)) return null;
  const { protocolVersion } = answer.result;
  return typeof protocolVersion === 'string' ? protocolVersion : null;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}
