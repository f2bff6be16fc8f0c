import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { closed, portOf } from './listening.js';

export type WebRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers'> & { readonly body: string };
export type WebAnswer = (...given: Parameters<RequestListener>) => void;

/** A web server on a loopback address with configured answers, which records its requests. */
export type WebServer = AsyncDisposable & {
  readonly origin: string;
  readonly port: number;
  readonly requests: WebRequest[];
  /** The current answer. */
  answer: WebAnswer;
  readonly close: () => Promise<void>;
};

const TLS = join(dirname(fileURLToPath(import.meta.url)), '../../../test/support/tls');
const pem = (name: string): string => readFileSync(join(TLS, name), 'utf8');
/** Its own authority; for board.example.test, elsewhere.example.test and 127.0.0.1. */
export const serverCertificate = pem('server-certificate.pem');

export async function startWebServer(
  answer: WebAnswer = (_, response) => void response.end(),
  { isSecure = false, host = '127.0.0.1' } = {},
): Promise<WebServer> {
  const requests: WebRequest[] = [];
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers } = request;
      requests.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      web.answer(request, response);
    });
  };
  const server = isSecure
    ? createSecureServer({ key: pem('server-key.pem'), cert: serverCertificate }, listener)
    : createServer(listener);
  const port = await portOf(server, host);
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await closed(server);
  };
  const web: WebServer = {
    origin: `${isSecure ? 'https' : 'http'}://${host}:${port}`,
    port,
    requests,
    answer,
    close,
    [Symbol.asyncDispose]: close,
  };
  return web;
}
