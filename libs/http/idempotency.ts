import type { CommandContext } from '#kernel/commands/decider.js';
import { sha256Hex } from '#kernel/values/hash.js';
import { canonicalJson } from '#kernel/values/json.js';
import type { DeclaredEndpoint } from './endpoint.js';
import { pathOf, RequestRefused } from './problem.js';

/** An answer as it is stored and replayed. */
export type KeptAnswer = {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
};

/** A request that has claimed its Idempotency-Key and is to be executed. */
export type ClaimedRequest = {
  readonly kind: 'claimed';
  /** The command id of every attempt at this request. */
  readonly commandId: string;
  /** Where another attempt may already have executed it, for the contexts of its commands. */
  readonly mayBeDone: Pick<CommandContext, 'mayBeDoneSince' | 'mayBeDoneAfter'>;
  /** Executes the work: ids allocated in it are those of the earlier attempts. */
  readonly within: <Result>(work: () => Result) => Result;
  /** Stores the answer for all repetitions. */
  readonly keep: (answer: KeptAnswer) => Promise<void>;
  /** Ends without an answer to store: the next attempt need not wait. */
  readonly release: () => Promise<void>;
};

/** A request with an Idempotency-Key. */
export type KeyedRequest = {
  readonly workspaceId: number;
  readonly apiKeyId: number;
  readonly requestId: string;
  readonly key: string;
  readonly requestHash: string;
};

/** Claims an Idempotency-Key (OP-66). Throws a refusal if the key was used for another request. */
export type RequestClaims = (asked: KeyedRequest) => Promise<
  | ClaimedRequest
  | { readonly kind: 'answered'; readonly answer: KeptAnswer }
  | { readonly kind: 'running' }
  /** The workspace has as many live keys as it may. */
  | { readonly kind: 'full'; readonly retryAfterSeconds: number }
>;

/**
 * The stored answer for an Idempotency-Key, null if there is none (yet); claims nothing. Throws like the claim if the
 * key was used for another request.
 */
export type KeptAnswers = (asked: KeyedRequest) => Promise<KeptAnswer | null>;

export const IDEMPOTENCY_KEY = 'Idempotency-Key';
/** The maximum number of keys of one workspace with stored answers. */
export const MOST_LIVE_KEYS = 10_000;
/** The characters of an Idempotency-Key. */
export const VISIBLE = /^[\x21-\x7e]{1,255}$/;
const RETRY_AFTER_SECONDS = 1;

/** Whether an endpoint accepts an Idempotency-Key: it protects the changes of a POST. */
export const takesIdempotencyKey = ({ method, readsOnly }: DeclaredEndpoint): boolean =>
  method === 'POST' && readsOnly === undefined;

/** The key of a request, or null if it has none; throws 400 for a key that is not 1 to 255 visible characters. */
export function idempotencyKeyOf(header: string | readonly string[] | undefined): string | null {
  if (header === undefined) return null;
  if (typeof header === 'string' && VISIBLE.test(header)) return header;
  throw new RequestRefused({
    status: 400,
    detail: 'The request headers are not valid.',
    errors: new Map([[IDEMPOTENCY_KEY, ['must be 1 to 255 visible characters']]]),
  });
}

/** Equal for the same method, path and body, for any spelling of the JSON; a missing body is `{}`. */
export function requestHashOf(method: string, url: string, body: unknown): string {
  const path = pathOf(url).replace(/(?<=.)\/$/, '');
  return sha256Hex(canonicalJson({ method, path, body: body === undefined ? {} : body }));
}

/** The first request with this key is still running. */
export const stillRunning = (): RequestRefused =>
  new RequestRefused({
    status: 409,
    detail: 'The first request with this Idempotency-Key is still being answered; try again.',
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  });

/** Each key stores an answer for a day: a workspace that creates keys without limit would fill the store. */
export const tooManyKeys = (retryAfterSeconds: number): RequestRefused =>
  new RequestRefused({
    status: 429,
    detail: `The workspace has ${MOST_LIVE_KEYS} Idempotency-Keys of the last 24 hours: send no new one before some lapse.`,
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });

/** 401, 429 and 5xx do not depend on the request, so its repetition is executed. */
export function isKept(status: number): boolean {
  return status !== 401 && status !== 429 && status < 500;
}

/** Set on every answer, including replayed ones. */
const OF_THE_MOMENT =
  /^(x-request-id|x-response-time|cache-control|content-length|date|connection|vary|ignored-fields|preference-applied|deprecation|link|sunset|ratelimit-.*|access-control-.*)$/;

/** The headers that belong to the answer itself. */
export function keptHeaders(headers: { readonly [name: string]: unknown }): KeptAnswer['headers'] {
  const kept = Object.entries(headers).filter(([name]) => !OF_THE_MOMENT.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}
