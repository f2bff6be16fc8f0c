import { STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from './log.js';
import { problemDocument, slugOf, type Problem } from './problem.js';
import { requestIdFrom } from './request-id.js';

/** Answers under way, by connection: behind one that is finished a broken request can still be answered. */
export type AnswersUnderWay = {
  readonly watch: (server: Server) => void;
  readonly on: (socket: Socket) => boolean;
};

export function answersUnderWay(): AnswersUnderWay {
  const counts = new WeakMap<Socket, number>();
  const count = (socket: Socket, change: number): void => {
    counts.set(socket, (counts.get(socket) ?? 0) + change);
  };
  // one function for all: `once` makes two for each answer, and takes the listener off again
  function ended(this: ServerResponse): void {
    count(this.req.socket, -1);
  }
  return {
    watch: (server) => {
      server.on('request', ({ socket }, response) => {
        count(socket, 1);
        response.on('close', ended);
      });
    },
    on: (socket) => (counts.get(socket) ?? 0) > 0,
  };
}

/** Bytes that are no HTTP request never reach the framework: they are answered on the socket, which then closes. */
export function answerBrokenRequest(docsUrl: string, logger: Logger, underWay: AnswersUnderWay) {
  return (error: { readonly code?: string; readonly rawPacket?: unknown }, socket: Socket): void => {
    // nobody is there any more, or an answer is already under way
    const half = socket.bytesWritten > 0 && underWay.on(socket);
    if (error.code === 'ECONNRESET' || !socket.writable || half) {
      socket.destroy();
      return;
    }
    const problem = problemOf(error.code);
    const asked = askedFor(error.rawPacket);
    const body = problemDocument(problem, asked, docsUrl);
    const requestId = requestIdFrom(undefined);
    const head = [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}`,
      'Content-Type: application/problem+json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      `X-Request-Id: ${requestId}`,
      'X-Response-Time: 0.0ms',
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${asked.method === 'HEAD' ? '' : body}`);
    logger.info({ requestId, status: problem.status, problem: slugOf(problem) }, 'request');
  };
}

function problemOf(code: string | undefined): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return { status: 408, detail: 'The request did not arrive in time.' };
  if (code === 'HPE_HEADER_OVERFLOW') {
    return { status: 400, place: 'path', detail: 'The path or the headers are too long.' };
  }
  return { status: 400, place: 'path', detail: 'The request is not valid HTTP.' };
}

const REQUEST_LINE = /^([A-Z]+) (\/[\x21-\x7e]*)/;

/** What can still be read of the request line. */
function askedFor(packet: unknown): { readonly method: string; readonly url: string } {
  const text = Buffer.isBuffer(packet) ? packet.subarray(0, 2048).toString('latin1') : '';
  const [line = ''] = text.split('\r\n', 1);
  const [, method = 'GET', url = '/'] = REQUEST_LINE.exec(line) ?? [];
  return { method, url };
}
