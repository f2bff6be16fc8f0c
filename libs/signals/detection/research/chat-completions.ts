import { Buffer } from 'node:buffer';
import { guardOf } from '#kernel/values/schema-guard.js';
import { Type } from '#kernel/values/schema.js';
import { OutboundFailure } from '#outbound/outbound-failure.js';
import type { Outbound, OutboundResponse } from '#outbound/outbound.js';
import { retryAfterMs } from '#outbound/retry-after.js';
import type { ChatMessage } from './research-prompt.js';

/** An endpoint for the chat completions of OpenAI. */
export type ChatEndpoint = {
  /** The full address with its parameters; never shown. */
  readonly url: string;
  readonly model: string;
  /** Sent as a bearer token; never shown. */
  readonly key: string | null;
};

/** The result of one attempt. */
export type ModelReply =
  /** The message of the model; null: the body is no chat completion. */
  | { readonly outcome: 'content'; readonly content: string | null }
  | {
      readonly outcome: 'failed';
      /** For the operator: without address and key. */
      readonly why: string;
      readonly mayRetry: boolean;
      /** The wait that the endpoint asks for, in milliseconds. */
      readonly retryAfterMs: number;
    };

const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Asks once. Redirects are not followed, and reading stops if the body is too large. Rejects only if `signal` aborts.
 */
export async function askOnce(
  outbound: Outbound,
  { url, model, key }: ChatEndpoint,
  messages: readonly ChatMessage[],
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<ModelReply> {
  try {
    const response = await outbound.request({
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(key !== null && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ model, temperature: 0, response_format: { type: 'json_object' }, messages }),
      timeoutMs,
      maxBodyBytes: MAX_BODY_BYTES,
      isOperatorSet: true,
      signal,
    });
    const { status, headers } = response;
    if (status >= 200 && status < 300)
      return { outcome: 'content', content: contentOf(await textOf(response)) };
    response.discard();
    return failed(`answered ${status}`, {
      mayRetry: status === 429 || status >= 500,
      retryAfterMs: retryAfterMs(headers['retry-after'], Date.now()),
    });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof OutboundFailure)) throw error;
    return failed(...whyOf(error));
  }
}

function whyOf({ fault }: OutboundFailure): Parameters<typeof failed> {
  if (fault === 'too-large') return ['answered with more than 1 MiB', { mayRetry: false }];
  return [fault === 'timeout' ? 'did not answer in time' : 'could not be reached', { mayRetry: true }];
}

const failed = (
  why: string,
  { mayRetry, retryAfterMs: waitMs = 0 }: { readonly mayRetry: boolean; readonly retryAfterMs?: number },
): ModelReply => ({ outcome: 'failed', why, mayRetry, retryAfterMs: waitMs });

async function textOf({ body }: OutboundResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

const isCompletion = guardOf(Type.Object({ choices: Type.Array(Type.Unknown(), { minItems: 1 }) }));
const isChoice = guardOf(Type.Object({ message: Type.Object({ content: Type.String() }) }));

function contentOf(body: string): string | null {
  try {
    const completion: unknown = JSON.parse(body);
    const [choice] = isCompletion(completion) ? completion.choices : [];
    return isChoice(choice) ? choice.message.content : null;
  } catch {
    return null;
  }
}
