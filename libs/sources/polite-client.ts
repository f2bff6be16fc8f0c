import type { PollStore } from '#network/poll-store.port.js';
import { OutboundFailure } from '#outbound/outbound-failure.js';
import type { Outbound, OutboundResponse } from '#outbound/outbound.js';
import { retryAfterMs } from '#outbound/retry-after.js';
import { PRODUCT, robotsRules } from './robots.js';

/** What an earlier answer said of itself. */
export type Validators = { readonly etag: string | null; readonly lastModified: string | null };

/** What a source answered. `notBeforeMs`: it asks not to be asked again until then; 0 where it says nothing. */
export type Answer = { readonly notBeforeMs: number } & (
  | {
      readonly outcome: 'read';
      readonly body: string;
      readonly validators: Validators;
      /** When the request was sent, in milliseconds of real time (SRC-01). */
      readonly sentAtMs: number;
    }
  | { readonly outcome: 'unchanged' }
  /** 404 may be a fault of a moment, 410 is meant. */
  | { readonly outcome: 'missing' | 'gone' }
  | { readonly outcome: 'failed'; readonly why: string }
);

export type PoliteClientParts = {
  readonly outbound: Outbound;
  readonly polls: Pick<PollStore, 'turnOf'>;
  /** Who can be written to, in the User-Agent. */
  readonly contact: string;
  /** Real time in milliseconds. */
  readonly nowMs: () => number;
  /** Waits; rejects where `signal` ends it. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
};

export type PoliteClient = {
  readonly get: (
    url: string,
    asked: { readonly validators: Validators | null; readonly paceMs: number; readonly signal: AbortSignal },
  ) => Promise<Answer>;
};

const REDIRECTS = 5;
/** Whose turn is later is tried at another time. */
const LONGEST_WAIT_MS = 300_000;
const LONGEST_MAX_AGE_S = 604_800;

/**
 * Asks as a guest does: by robots.txt, one request after the other to a host over all processes, only for what has
 * changed, and no sooner than a host allows.
 */
export function politeClient({ outbound, polls, contact, nowMs, pause }: PoliteClientParts): PoliteClient {
  const userAgent = { 'user-agent': `${PRODUCT}/0.1 (+${contact})` };
  const rulesOf = robotsRules(outbound, userAgent, nowMs);

  return {
    async get(url, { validators, paceMs, signal }) {
      const rules = await rulesOf(url, signal);
      if (!rules.isAllowed(url)) return failed('robots.txt of its host does not allow it');
      const turnMs = await polls.turnOf(new URL(url).host, nowMs(), Math.max(paceMs, rules.paceMs));
      const waitMs = turnMs - nowMs();
      if (waitMs > LONGEST_WAIT_MS) return failed('too many others wait for its host');
      if (waitMs > 0) await pause(waitMs, signal);
      const sentAtMs = nowMs();
      try {
        const headers = { ...userAgent, accept: '*/*', ...conditionsOf(validators) };
        const response = await outbound.request({
          method: 'GET',
          url,
          headers,
          redirects: REDIRECTS,
          signal,
        });
        return await answerOf(response, sentAtMs);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof OutboundFailure)) throw error;
        return failed(error.message);
      }
    },
  };

  async function answerOf(response: OutboundResponse, sentAtMs: number): Promise<Answer> {
    const { status, headers } = response;
    const notBeforeMs = notBefore(headers, nowMs());
    if (status === 200) {
      if (headers['tdm-reservation']?.trim() === '1') {
        response.discard();
        return failed('its host reserves text and data mining (TDM-Reservation)', notBeforeMs);
      }
      const body = await textOf(response);
      const validators = { etag: headers['etag'] ?? null, lastModified: headers['last-modified'] ?? null };
      return { outcome: 'read', body, validators, sentAtMs, notBeforeMs };
    }
    response.discard();
    if (status === 304) return { outcome: 'unchanged', notBeforeMs };
    if (status === 404) return { outcome: 'missing', notBeforeMs };
    if (status === 410) return { outcome: 'gone', notBeforeMs };
    return failed(`answered ${status}`, notBeforeMs);
  }
}

const failed = (why: string, notBeforeMs = 0): Answer => ({ outcome: 'failed', why, notBeforeMs });

function conditionsOf(validators: Validators | null): Record<string, string> {
  return {
    ...(validators?.etag && { 'if-none-match': validators.etag }),
    ...(validators?.lastModified && { 'if-modified-since': validators.lastModified }),
  };
}

/** `Retry-After`, and how long the answer is fresh. */
function notBefore(headers: Readonly<Record<string, string>>, nowMs: number): number {
  const [, seconds = '0'] = /(?:^|[,\s])max-age=(\d{1,9})/i.exec(headers['cache-control'] ?? '') ?? [];
  const freshMs = Math.min(Number(seconds), LONGEST_MAX_AGE_S) * 1_000;
  const waitMs = Math.max(retryAfterMs(headers['retry-after'], nowMs), freshMs);
  return waitMs === 0 ? 0 : nowMs + waitMs;
}

const CHARSET = /charset=["']?([\w:.-]{1,40})/i;
const XML_ENCODING = /^(?:\u00ef\u00bb\u00bf)?<\?xml[^>]{0,100}encoding=["']([\w:.-]{1,40})/i;

async function textOf({ headers, body }: OutboundResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const declared =
    CHARSET.exec(headers['content-type'] ?? '') ?? XML_ENCODING.exec(bytes.toString('latin1', 0, 200));
  return decoderOf(declared?.[1] ?? 'utf-8').decode(bytes);
}

/** What no decoder knows is read as UTF-8. */
function decoderOf(charset: string): { readonly decode: (bytes: Uint8Array) => string } {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}
