import type { IncomingMessage, ServerResponse } from 'node:http';
import { startWebServer, type WebServer } from './web-server.js';

/** A question as the server received it. */
export type ChatRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  // The shape is what the test asserts.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
};
export type Answering = (response: ServerResponse, request: ChatRequest) => void | Promise<void>;

/** A chat-completions endpoint on 127.0.0.1 with configured answers, which records its requests. */
export type ChatServer = {
  readonly url: string;
  readonly requests: ChatRequest[];
  /** The current answer. */
  answer: Answering;
  readonly close: () => Promise<void>;
};

export async function startChatServer(answer: Answering = replying('{}')): Promise<ChatServer> {
  const requests: ChatRequest[] = [];
  const server: WebServer = await startWebServer((_, response) => {
    const { method = '', url = '', headers = {}, body = '' } = server.requests.at(-1) ?? {};
    const asked = { method, url, headers, body: JSON.parse(body || 'null') };
    requests.push(asked);
    void chat.answer(response, asked);
  });
  const chat: ChatServer = {
    url: `${server.origin}/v1/chat/completions`,
    requests,
    answer,
    close: server.close,
  };
  return chat;
}

/** Replies with this message of the model. */
export const replying =
  (content: string): Answering =>
  (response) =>
    sendJson(response, { choices: [{ message: { role: 'assistant', content } }] });

/** Replies with a status, and a body without an answer. */
export const refusing =
  (status: number, headers: Record<string, string> = {}): Answering =>
  (response) => {
    response.writeHead(status, headers).end('{"error":{"message":"no"}}');
  };

/** Each request has its own answer; the last one serves all that follow. */
export function inTurn(...answers: readonly [Answering, ...Answering[]]): Answering {
  let asked = 0;
  return (response, request) => {
    const answer = answers[Math.min(asked, answers.length - 1)];
    asked += 1;
    return answer?.(response, request);
  };
}

export function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
