import type { PollStore } from '#network/poll-store.port.js';
import { OutboundFailure } from '#outbound/outbound-failure.js';
import type { Outbound, OutboundResponse } from '#outbound/outbound.js';
import { beginningOf, bodyOf, type AnswerBody } from './answer-text.js';
import { askedPauseMs, LONGEST_PAUSE_MS, OVERLOADED } from './asked-pause.js';
import { PRODUCT, robotsRules } from './robots.js';

/** The validators of an earlier answer. */
export type Validators = { readonly etag: string | null; readonly lastModified: string | null };

/** The answer of a source. `notBeforeMs`: the source asks for no request until then; 0 if not stated. */
export type Answer = { readonly notBeforeMs: number } & (
  | {
      readonly outcome: 'read';
      readonly body: AnswerBody;
      readonly validators: Validators;
      /** When the request was sent, in milliseconds of real time (SRC-01). */
      readonly sentAtMs: number;
      /** The permanent new address; null: it has not moved. */
      readonly movedTo: string | null;
      /** The address that answered, after redirects. */
      readonly url: string;
    }
  | {
      readonly outcome: 'unchanged';
      /** As for an answer that was read. */
      readonly movedTo: string | null;
    }
  /** 404 may be a fault of a moment, 410 is meant. */
  | { readonly outcome: 'missing' | 'gone' }
  /** Its host has no time before `notBeforeMs`: nothing was asked. */
  | { readonly outcome: 'later' }
  | { readonly outcome: 'failed'; readonly why: string }
);

export type PoliteClientParts = {
  readonly outbound: Outbound;
  readonly polls: Pick<PollStore, 'requestTimeOf' | 'holdBack'>;
  /** The contact in the User-Agent. */
  readonly contact: string;
  /** Real time in milliseconds. */
  readonly nowMs: () => number;
  /** Waits; rejects if `signal` aborts. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
};

type Asked = {
  readonly validators: Validators | null;
  readonly paceMs: number;
  readonly signal: AbortSignal;
  /** When the poll ends that the request is a part of, in ms. */
  readonly pollEndsAtMs?: number;
  /** Whether the poll has sent a request before. */
  readonly isBegun?: boolean;
};

/** The last request of an exchange. */
type Exchange = {
  readonly sentAtMs: number;
  readonly movedTo: string | null;
  readonly url: string;
  readonly validators: Validators | null;
};

export type PoliteClient = { readonly get: (url: string, asked: Asked) => Promise<Answer> };

const MOST_REDIRECTS = 5;
/** A poll whose first request has a later turn is put off. */
const LONGEST_WAIT_MS = 60_000;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const PERMANENT: ReadonlySet<number> = new Set([301, 308]);

/**
 * Sends polite requests: it follows robots.txt, sends one request at a time to a host across all processes, requests
 * only changes, and waits as long as a host asks. Each redirect is a request to its host, under the rules of that
 * host.
 */
export function politeClient(parts: PoliteClientParts): PoliteClient {
  const { outbound, polls, contact, nowMs, pause } = parts;
  const userAgent = { 'user-agent': `${PRODUCT}/0.1 (+${contact})` };
  const rulesOf = robotsRules(outbound, userAgent, nowMs);

  /**
   * Waits for the turn of its host. Returns why the request is not allowed, or null. A poll that has sent a request waits
   * until it ends, and fails if the turn is later: if it was put off, it would begin again with its first request each
   * time.
   */
  async function admitted(url: string, asked: Asked): Promise<Answer | null> {
    const { paceMs, signal, isBegun = false, pollEndsAtMs = 0 } = asked;
    const rules = await rulesOf(url, signal);
    if (rules.notBeforeMs > nowMs()) await polls.holdBack(new URL(url).host, rules.notBeforeMs);
    const objection = rules.objectionTo(url);
    if (objection !== null) return failed(objection, rules.notBeforeMs);
    const latestMs = Math.max(nowMs() + LONGEST_WAIT_MS, isBegun ? pollEndsAtMs : 0);
    const requestMs = await polls.requestTimeOf(
      new URL(url).host,
      nowMs(),
      Math.max(paceMs, rules.paceMs),
      latestMs,
    );
    if (requestMs > latestMs)
      return isBegun ? tooLate(requestMs) : { outcome: 'later', notBeforeMs: requestMs };
    const waitMs = requestMs - nowMs();
    if (waitMs > 0) await pause(waitMs, signal);
    return null;
  }

  async function ask(first: string, asked: Asked): Promise<Answer> {
    let url = first;
    let movedTo: string | null = null;
    let isForGood = true;
    for (let followed = 0; ; followed += 1) {
      const refused = await admitted(url, followed === 0 ? asked : { ...asked, isBegun: true });
      if (refused !== null) return refused;
      const sentAtMs = nowMs();
      const response = await outbound.request({
        method: 'GET',
        url,
        headers: { ...userAgent, accept: '*/*', ...conditionsOf(asked.validators) },
        signal: asked.signal,
      });
      const next = REDIRECTS.has(response.status) ? targetOf(response, url) : null;
      if (next === null) return answerOf(response, { sentAtMs, movedTo, url, validators: asked.validators });
      response.discard();
      if (followed >= MOST_REDIRECTS) return failed('redirects too often');
      isForGood &&= PERMANENT.has(response.status);
      if (isForGood) movedTo = next;
      url = next;
    }
  }

  async function answerOf(
    response: OutboundResponse,
    { sentAtMs, movedTo, url, validators: sent }: Exchange,
  ): Promise<Answer> {
    const { status, headers } = response;
    const notBeforeMs = notBefore(headers, nowMs());
    if ((status === 200 || status === 304) && headers['tdm-reservation']?.trim() === '1') {
      response.discard();
      return failed(RESERVED, notBeforeMs);
    }
    if (status === 200) {
      const body = await bodyOf(response);
      if (hasReservation(beginningOf(body))) return failed(RESERVED, notBeforeMs);
      const validators = { etag: headers['etag'] ?? null, lastModified: headers['last-modified'] ?? null };
      return { outcome: 'read', body, validators, sentAtMs, notBeforeMs, movedTo, url };
    }
    response.discard();
    if (OVERLOADED.has(status) && notBeforeMs > 0) await polls.holdBack(new URL(url).host, notBeforeMs);
    if (status === 304) {
      // Nothing is known that could be unchanged.
      const isConditional = Object.keys(conditionsOf(sent)).length > 0;
      return isConditional
        ? { outcome: 'unchanged', notBeforeMs, movedTo }
        : failed('answered 304 to an unconditional request', notBeforeMs);
    }
    if (status === 404) return { outcome: 'missing', notBeforeMs };
    if (status === 410) return { outcome: 'gone', notBeforeMs };
    return failed(`answered ${status}`, notBeforeMs);
  }

  return {
    async get(url, asked) {
      try {
        return await ask(url, asked);
      } catch (error) {
        asked.signal.throwIfAborted();
        if (!(error instanceof OutboundFailure)) throw error;
        return failed(error.message);
      }
    },
  };
}

const RESERVED = 'its host reserves text and data mining (TDM-Reservation)';

const failed = (why: string, notBeforeMs = 0) => ({ outcome: 'failed', why, notBeforeMs }) as const;

/** The failure of a poll whose next request has no turn before its end. */
export const tooLate = (turnMs: number) =>
  failed(`its host allows no request before ${new Date(turnMs).toISOString()}`, turnMs);

function targetOf({ headers }: OutboundResponse, from: string): string | null {
  const { location } = headers;
  return location !== undefined && URL.canParse(location, from) ? new URL(location, from).href : null;
}

function conditionsOf(validators: Validators | null): Record<string, string> {
  return {
    ...(validators?.etag && { 'if-none-match': validators.etag }),
    ...(validators?.lastModified && { 'if-modified-since': validators.lastModified }),
  };
}

/** The time of `Retry-After`, or the time until which the answer is fresh; at most a week from now. */
function notBefore(headers: Readonly<Record<string, string>>, nowMs: number): number {
  const [, seconds = '0'] = /(?:^|[,\s])max-age=(\d{1,9})/i.exec(headers['cache-control'] ?? '') ?? [];
  const ageS = /^\d{1,9}$/.test(headers['age'] ?? '') ? Number(headers['age']) : 0;
  const freshMs = Math.max(0, Math.min(Number(seconds) * 1_000, LONGEST_PAUSE_MS) - ageS * 1_000);
  const waitMs = Math.max(askedPauseMs(headers['retry-after'], nowMs), freshMs);
  return waitMs === 0 ? 0 : nowMs + waitMs;
}

const META = /<meta\s[^>]{0,500}>/gi;
/** What may precede the first element of a page, repeated. */
const BEFORE_HTML = /^(?:\s+|\ufeff|<\?[^>]{0,500}>|<!--[^]{0,5000}?-->)/;

/** The reservation in an HTML page: `<meta name="tdm-reservation" content="1">`. */
function hasReservation(beginning: string): boolean {
  let page = beginning;
  for (let before = BEFORE_HTML.exec(page); before !== null; before = BEFORE_HTML.exec(page))
    page = page.slice(before[0].length);
  if (!/^<(?:!doctype html|html|head|meta)\b/i.test(page)) return false;
  return (beginning.match(META) ?? []).some(
    (meta) => /\bname\s*=\s*["']?tdm-reservation\b/i.test(meta) && /\bcontent\s*=\s*["']?1\b/i.test(meta),
  );
}
