import { Buffer } from 'node:buffer';
import { guardOf } from '#kernel/values/schema-guard.js';
import { Type } from '#kernel/values/schema.js';
import type { ChatMessage } from './research-prompt.js';

/** An endpoint that speaks the chat completions of OpenAI. */
export type ChatEndpoint = {
  /** The full address, with whatever it needs; not to be shown. */
  readonly url: string;
  readonly model: string;
  /** Sent as a bearer token; never shown. */
  readonly key: string | null;
};

/** What came of one attempt to ask. */
export type Reply =
  /** The message of the model; null: the body is none of a chat completion. */
  | { readonly outcome: 'content'; readonly content: string | null }
  | {
      readonly outcome: 'failed';
      /** For who looks after the service: without address and key. */
      readonly why: string;
      readonly mayRetry: boolean;
      /** How long the endpoint asks to wait, in milliseconds. */
      readonly retryAfterMs: number;
    };

const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Asks once. Redirects are not followed, and of a body that is too large no more is read. Rejects only where `signal`
 * ends it.
 */
export async function askOnce(
  { url, model, key }: ChatEndpoint,
  messages: readonly ChatMessage[],
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<Reply> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(key !== null && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ model, temperature: 0, response_format: { type: 'json_object' }, messages }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    if (response.ok) return await readContent(response);
    await response.body?.cancel();
    const { status } = response;
    return failed(`answered ${status}`, {
      mayRetry: status === 429 || status >= 500,
      retryAfterMs: retryAfterMs(response.headers.get('retry-after')),
    });
  } catch (error) {
    signal.throwIfAborted();
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    return failed(isLate ? 'did not answer in time' : 'could not be reached', { mayRetry: true });
  }
}

const failed = (
  why: string,
  { mayRetry, retryAfterMs: waitMs = 0 }: { readonly mayRetry: boolean; readonly retryAfterMs?: number },
): Reply => ({ outcome: 'failed', why, mayRetry, retryAfterMs: waitMs });

async function readContent(response: Response): Promise<Reply> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop ends the connection.
    if (bytes > MAX_BODY_BYTES) return failed('answered with more than 1 MiB', { mayRetry: false });
    chunks.push(chunk);
  }
  return { outcome: 'content', content: contentOf(Buffer.concat(chunks).toString('utf8')) };
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

/** Seconds or a date (RFC 9110, 10.2.3); 0 for anything else. */
function retryAfterMs(header: string | null): number {
  if (header === null) return 0;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? 0 : Math.max(0, date - Date.now());
}
