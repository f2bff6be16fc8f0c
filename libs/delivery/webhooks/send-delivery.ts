import type { Outbound, OutboundResponse } from '#outbound/outbound.js';
import { OutboundFailure } from '#outbound/outbound-failure.js';
import { retryAfterMs } from '#outbound/retry-after.js';
import { signatureOf } from './signing.js';

/** The outcomes of an attempt. */
export const OUTCOMES = [
  'delivered',
  'rejected',
  'redirected',
  'timeout',
  'unreachable',
  'refused_address',
] as const;
export type DeliveryOutcome = (typeof OUTCOMES)[number];

export type Sent = {
  readonly outcome: DeliveryOutcome;
  /** null if there was no answer. */
  readonly statusCode: number | null;
  readonly durationMs: number;
  /** The beginning of the answer of a failed attempt; null: there is none, or it may not be shown (DLV-06). */
  readonly answer: string | null;
  /** How long the receiver asks to wait, in ms. */
  readonly retryAfterMs: number;
};

export type Delivery = {
  readonly url: string;
  readonly id: string;
  readonly body: string;
  /** The secrets that sign, one signature each. */
  readonly secrets: readonly string[];
};

export type SendParts = {
  readonly outbound: Outbound;
  /** Real time: the receiver compares the signed time with its own clock (DLV-04). */
  readonly nowMs: () => number;
};

/** The timeout of an attempt, from its start to the head of the answer. */
const TIMEOUT_MS = 15_000;
const MOST_ANSWER_BYTES = 64 * 1024;
const SHOWN_CHARACTERS = 200;

/**
 * Sends an event once, with a new signature. A 2xx status is a success. Redirects are not followed, and failures are
 * returned, not thrown.
 */
export async function sendDelivery(
  { outbound, nowMs }: SendParts,
  { url, id, body, secrets }: Delivery,
  signal: AbortSignal,
): Promise<Sent> {
  const startedMs = nowMs();
  const timestamp = Math.floor(startedMs / 1_000);
  const sent = (outcome: DeliveryOutcome, statusCode: number | null): Sent => ({
    outcome,
    statusCode,
    durationMs: Math.max(0, nowMs() - startedMs),
    answer: null,
    retryAfterMs: 0,
  });
  try {
    const response = await outbound.request({
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'signal-ledger-webhooks/1',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signatureOf({ id, timestamp, body }, secrets),
      },
      body,
      timeoutMs: TIMEOUT_MS,
      maxBodyBytes: MOST_ANSWER_BYTES,
      signal,
    });
    const { status, headers } = response;
    if (status >= 200 && status < 300) {
      response.discard();
      return sent('delivered', status);
    }
    // Measured before the body is read, which may be slow.
    const failed = sent(status >= 300 && status < 400 ? 'redirected' : 'rejected', status);
    const pauseMs = retryAfterMs(headers['retry-after'], nowMs());
    return { ...failed, retryAfterMs: pauseMs, answer: await beginningOf(response) };
  } catch (error) {
    if (signal.aborted) throw error;
    if (!(error instanceof OutboundFailure)) throw error;
    return sent(outcomeOf(error), null);
  }
}

function outcomeOf({ fault }: OutboundFailure): DeliveryOutcome {
  switch (fault) {
    case 'timeout':
      return 'timeout';
    case 'refused-address':
    case 'bad-url':
      return 'refused_address';
    case 'unreachable':
    case 'too-many-redirects':
    case 'refused-redirect':
    case 'too-large':
    case 'cut-off':
    case 'bad-encoding':
      return 'unreachable';
  }
}

/**
 * The first characters of an answer, as far as received; none if the address is allowed only by an exception
 * (SRC-09).
 */
async function beginningOf({ body, discard, usedException }: OutboundResponse): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    if (!usedException) {
      for await (const chunk of body) {
        chunks.push(chunk);
        bytes += chunk.length;
        // A character has at most four bytes.
        if (bytes >= 4 * SHOWN_CHARACTERS) break;
      }
    }
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
  } finally {
    discard();
  }
  if (usedException) return null;
  const text = Buffer.concat(chunks).toString('utf8').replaceAll('\0', '');
  return [...text].slice(0, SHOWN_CHARACTERS).join('');
}
