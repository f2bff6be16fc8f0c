import type { webhooks } from './schema.js';

/** An event as a webhook endpoint receives it. Later versions add types: ignore unknown ones. */
export type DeliveredEvent = webhooks[keyof webhooks]['post']['requestBody']['content']['application/json'];

/** The headers of a request: those of fetch, or an object as in Node.js. */
export type DeliveryHeaders =
  | { readonly get: (name: string) => string | null }
  | { readonly [name: string]: string | readonly string[] | undefined };

export type VerifyOptions = {
  /** The maximum difference between the signed time and now, in seconds, in both directions; default 300. */
  readonly toleranceSeconds?: number;
  /** The current time, in ms since 1970; default: the time of the machine. */
  readonly now?: () => number;
};

/** Why a delivery is refused. */
export type NotVerifiedReason = 'missing_header' | 'bad_timestamp' | 'too_old' | 'too_new' | 'no_match';

/**
 * Thrown if the delivery was not signed with one of the secrets, or not recently: answer it with 400 and do nothing.
 */
export class NotVerified extends Error {
  constructor(
    readonly reason: NotVerifiedReason,
    message: string,
  ) {
    super(message);
    this.name = 'NotVerified';
  }
}

const PREFIX = 'whsec_';
const VERSION = 'v1';
const TOLERANCE_SECONDS = 300;

/**
 * The event of a delivery, if one of its signatures is valid for one of these secrets (Standard Webhooks, scheme v1).
 * `body` is the received body, byte for byte: not JSON that was parsed and serialised again. During a rotation the
 * old secret, the new one or both verify. Signatures are compared in constant time. Rejects with `NotVerified`, and
 * with a `TypeError` for an invalid secret.
 */
export async function verify(
  body: string | Uint8Array,
  headers: DeliveryHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now }: VerifyOptions = {},
): Promise<DeliveredEvent> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  requireTime(timestamp, toleranceSeconds, now());
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const content = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), content);
  for (const secret of [secrets].flat()) {
    const key = await keyOf(secret);
    for (const signature of signatures.split(' ')) {
      const [version, encoded = ''] = signature.split(',');
      const bytes = version === VERSION ? decoded(encoded) : null;
      if (bytes !== null && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return JSON.parse(text);
    }
  }
  throw new NotVerified('no_match', 'no signature is of this secret');
}

function headerOf(headers: DeliveryHeaders, name: string): string {
  const value =
    typeof headers.get === 'function'
      ? headers.get(name)
      : Object.entries(headers).find(([known]) => known.toLowerCase() === name)?.[1];
  const text = Array.isArray(value) ? value.join(' ') : value;
  if (typeof text !== 'string' || text === '')
    throw new NotVerified('missing_header', `the header ${name} is missing`);
  return text;
}

function requireTime(timestamp: string, toleranceSeconds: number, nowMs: number): void {
  if (!/^\d{1,12}$/.test(timestamp)) throw new NotVerified('bad_timestamp', 'webhook-timestamp is no time');
  const behind = nowMs / 1_000 - Number(timestamp);
  if (behind > toleranceSeconds) throw new NotVerified('too_old', 'the delivery was signed too long ago');
  if (-behind > toleranceSeconds) throw new NotVerified('too_new', 'the delivery was signed in the future');
}

function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = decoded(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  if (bytes === null || bytes.length === 0) throw new TypeError('a secret is whsec_ and base64');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** The bytes of base64; null: it is invalid. */
function decoded(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function joined(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(head.length + tail.length);
  whole.set(head);
  whole.set(tail, head.length);
  return whole;
}
