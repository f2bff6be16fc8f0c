import { lookup } from 'node:dns/promises';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { judgeAddress, type AddressVerdict, type AllowedCidrs } from './addresses.js';
import { checkedLookup, refusedHost, type Resolve } from './checked-lookup.js';
import { fairLookups } from './fair-lookups.js';
import { OutboundFailure } from './outbound-failure.js';
import { ACCEPTED_ENCODINGS, unpackedBody } from './unpacked-body.js';

export type OutboundRequest = {
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** The timeout of the whole exchange, including redirects and body; default 30,000. */
  readonly timeoutMs?: number;
  /** The maximum size of the decompressed body; default 32 MiB. */
  readonly maxBodyBytes?: number;
  /** The number of redirects that a GET or HEAD follows; default none: a 3xx is the answer. */
  readonly redirects?: number;
  /** The operator configured this address: it may be any address, and redirects to another origin are refused. */
  readonly isOperatorSet?: boolean;
  /** Aborts the exchange; its reason is thrown. */
  readonly signal?: AbortSignal;
};

export type OutboundResponse = {
  readonly status: number;
  /** By name in lower case; values of a repeated field are joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether an address of the exchange is allowed only by an exception. */
  readonly usedException: boolean;
  /** The decompressed body, to be read once. Throws `OutboundFailure`. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection; for callers that do not read the whole body. */
  readonly discard: () => void;
};

/** All outgoing requests of this service use this function (SRC-09). It uses no proxy of the environment. */
export type Outbound = {
  /** Resolves with the head of the answer, for any status. Rejects with `OutboundFailure`. */
  readonly request: (request: OutboundRequest) => Promise<OutboundResponse>;
};

export type OutboundOptions = {
  readonly allowed: AllowedCidrs;
  /** Replaces the resolver of the machine. */
  readonly resolve?: Resolve;
  /** Replaces the certificate authorities that Node.js trusts. */
  readonly certificateAuthorities?: string;
};

const TIMEOUT_MS = 30_000;
const MAX_BODY_BYTES = 32 * 1024 * 1024;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Sent only to the origin they are meant for. */
const SECRET_HEADERS: ReadonlySet<string> = new Set(['authorization', 'cookie']);

/** One for the process: all of it shares the threads that look names up. */
const resolveByMachine = fairLookups((hostname) => lookup(hostname, { all: true, verbatim: true }));

export function createOutbound({
  allowed,
  resolve = resolveByMachine,
  certificateAuthorities,
}: OutboundOptions): Outbound {
  /** One hop; resolves with the head of its answer and whether its address is an exception. */
  function exchange(
    url: URL,
    request: OutboundRequest,
    signal: AbortSignal,
  ): Promise<{ readonly response: IncomingMessage; readonly isException: boolean }> {
    const isSecure = url.protocol === 'https:';
    const mayConnect = (address: string): boolean => {
      const verdict = judgeAddress(address, allowed);
      return request.isOperatorSet === true || mayBeReached(verdict, isSecure);
    };
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !mayConnect(host)) throw refusedHost(url.hostname);
    return new Promise((resolveHead, reject) => {
      let isException = false;
      const send = isSecure ? requestHttps : requestHttp;
      const sent = send(url, {
        method: request.method,
        headers: { 'accept-encoding': ACCEPTED_ENCODINGS, ...request.headers },
        // A separate connection, because the checks of one request do not apply to another.
        agent: false,
        lookup: checkedLookup(resolve, mayConnect),
        signal,
        ...(certificateAuthorities !== undefined && { ca: certificateAuthorities }),
      });
      sent.once('socket', (socket) => {
        // Before anything is written: sending waits for the same event, with a later listener.
        socket.once('connect', () => {
          const peer = socket.remoteAddress ?? '';
          if (!mayConnect(peer)) sent.destroy(refusedHost(url.hostname));
          isException = judgeAddress(peer, allowed) !== 'public';
        });
      });
      sent.once('response', (response) => resolveHead({ response, isException }));
      // Kept after the answer: later errors are reported by the body.
      sent.on('error', (error) => reject(unreachable(url, error)));
      // Without an error, if the host answers 101 and changes the protocol; its abort signal has no effect any more.
      sent.once('close', () => reject(unreachable(url, new Error('closed without an answer'))));
      sent.end(request.body);
    });
  }

  async function follow(request: OutboundRequest, exchanging: Exchanging): Promise<OutboundResponse> {
    const first = readUrl(request.url);
    let hop = { url: first, request };
    let usedException = false;
    for (let followed = 0; ; followed += 1) {
      const { response, isException } = await exchange(hop.url, hop.request, exchanging.signal);
      usedException ||= isException;
      const status = response.statusCode ?? 0;
      const next = followsRedirects(request) ? redirectTarget(response, hop.url) : null;
      if (next === null) return { ...answered(response, request, exchanging), status, usedException };
      response.destroy();
      if (followed >= (request.redirects ?? 0))
        throw new OutboundFailure('too-many-redirects', 'redirects too often');
      if (request.isOperatorSet === true && next.origin !== first.origin)
        throw new OutboundFailure('refused-redirect', 'redirects to another host');
      hop = {
        url: next,
        request: next.origin === hop.url.origin ? hop.request : withoutSecrets(hop.request),
      };
    }
  }

  return {
    async request(request) {
      const exchanging = startExchange(request);
      try {
        return await follow(request, exchanging);
      } catch (error) {
        exchanging.end();
        throw exchanging.endedBy() ?? error;
      }
    },
  };
}

/** Without encryption only if the operator allows the address. */
function mayBeReached(verdict: AddressVerdict, isSecure: boolean): boolean {
  return verdict === 'exception' || (verdict === 'public' && isSecure);
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password !== '')
    throw new OutboundFailure('bad-url', 'is not an http or https address without user and password');
  return url;
}

function followsRedirects({ method, redirects = 0 }: OutboundRequest): boolean {
  return redirects > 0 && method !== 'POST';
}

function redirectTarget({ statusCode, headers }: IncomingMessage, from: URL): URL | null {
  if (!REDIRECTS.has(statusCode ?? 0) || headers.location === undefined) return null;
  return readUrl(URL.canParse(headers.location, from.href) ? new URL(headers.location, from).href : '');
}

function withoutSecrets({ headers = {}, ...rest }: OutboundRequest): OutboundRequest {
  const shared = Object.entries(headers).filter(([name]) => !SECRET_HEADERS.has(name.toLowerCase()));
  return { ...rest, headers: Object.fromEntries(shared) };
}

type Exchanging = {
  readonly signal: AbortSignal;
  /** The reason of an abort from outside; null: none. */
  readonly endedBy: () => unknown;
  /** Stops the timer. */
  readonly end: () => void;
};

function startExchange({ timeoutMs = TIMEOUT_MS, signal }: OutboundRequest): Exchanging {
  const ending = new AbortController();
  const abort = (): void => ending.abort(signal?.reason);
  const late = setTimeout(
    () => ending.abort(new OutboundFailure('timeout', `took longer than ${timeoutMs} ms`)),
    timeoutMs,
  );
  signal?.addEventListener('abort', abort);
  if (signal?.aborted === true) abort();
  return {
    signal: ending.signal,
    endedBy: () => (ending.signal.aborted ? ending.signal.reason : null),
    end() {
      clearTimeout(late);
      signal?.removeEventListener('abort', abort);
    },
  };
}

function answered(
  response: IncomingMessage,
  { maxBodyBytes = MAX_BODY_BYTES }: OutboundRequest,
  { endedBy, end }: Exchanging,
): Pick<OutboundResponse, 'headers' | 'body' | 'discard'> {
  return {
    headers: Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
    ),
    body: unpackedBody(response, { maxBytes: maxBodyBytes, onEnd: end, endedBy }),
    discard() {
      response.destroy();
      end();
    },
  };
}

function unreachable(url: URL, error: Error): OutboundFailure {
  if (error instanceof OutboundFailure) return error;
  return new OutboundFailure('unreachable', `${url.host} could not be reached`, { cause: error });
}
