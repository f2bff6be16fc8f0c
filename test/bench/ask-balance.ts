import { setTimeout as delay } from 'node:timers/promises';

const EVERY_MS = 20;

/** Requests a balance every 20 ms during the work; returns the duration of each request, in milliseconds. */
export async function whileAskingBalance(
  url: string,
  key: string,
  work: () => Promise<void>,
): Promise<readonly number[]> {
  const times: number[] = [];
  const ending = new AbortController();
  const asked = askBalance(url, key, times, ending.signal);
  await work();
  ending.abort();
  await asked;
  return times;
}

async function askBalance(url: string, key: string, times: number[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const startedAt = performance.now();
    const answer = await fetch(`${url}/api/v3/credits/balance`, {
      headers: { authorization: `Bearer ${key}` },
    });
    await answer.text();
    times.push(performance.now() - startedAt);
    await delay(Math.max(0, EVERY_MS - (performance.now() - startedAt)));
  }
}
