type Fetch = (request: Request) => Promise<Response>;

const LONGEST_WAIT_MS = 60_000;
const FIRST_WAIT_MS = 1_000;
/** Methods without a second effect. */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']);

/**
 * Retries a request that was answered 429 or 503, at most `most` times: after the time in `Retry-After`, at most a
 * minute, or, without that header, after 1 s, 2 s, 4 s. After 503 only requests that are safe to repeat are retried:
 * a GET, PUT or DELETE, or one with an `Idempotency-Key`. A 409 with `Retry-After` is retried, too: the first request
 * with this key is still running, and its answer follows. Any other 409 is final.
 */
export function withRetries(fetch: Fetch, most: number): Fetch {
  return async (request) => {
    for (let tries = 0; ; tries += 1) {
      const answer = await fetch(request.clone());
      if (tries >= most || !mayComeAgain(request, answer)) return answer;
      await answer.body?.cancel();
      await pause(waitMs(answer, tries), request.signal);
    }
  };
}

function mayComeAgain({ method, headers }: Request, answer: Response): boolean {
  const { status } = answer;
  const hasKey = headers.has('idempotency-key');
  if (status === 409) return hasKey && answer.headers.has('retry-after');
  return status === 429 || (status === 503 && (hasKey || IDEMPOTENT.has(method)));
}

function waitMs({ headers }: Response, tries: number): number {
  const retryAfter = headers.get('retry-after') ?? '';
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - Date.now();
  return Math.min(Number.isNaN(ms) ? FIRST_WAIT_MS * 2 ** tries : Math.max(ms, 0), LONGEST_WAIT_MS);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end);
      resolve();
    }, ms);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
