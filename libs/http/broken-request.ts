import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Connections } from './connections.js';
import type { Logger } from './log.js';
import { problemDocument, slugOf, type Problem } from './problem.js';
import { requestIdFrom } from './request-id.js';

/** Bytes that are no HTTP request never reach the framework: they are answered on the socket, which then closes. */
export function answerBrokenRequest(
  docsUrl: string,
  logger: Logger,
  { isBusy }: Pick<Connections, 'isBusy'>,
) {
  return (error: { readonly code?: string; readonly rawPacket?: unknown }, socket: Socket): void => {
    // the client is gone, or an answer has already begun
    const half = socket.bytesWritten > 0 && isBusy(socket);
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

/** The readable part of the request line. */
function askedFor(packet: unknown): { readonly method: string; readonly url: string } {
  const text = Buffer.isBuffer(packet) ? packet.subarray(0, 2048).toString('latin1') : '';
  const [line = ''] = text.split('\r\n', 1);
  const [, method = 'GET', url = '/'] = REQUEST_LINE.exec(line) ?? [];
  return { method, url };
}
