import { setTimeout as delay } from 'node:timers/promises';
import { agree } from './agreement.js';
import type { DemoService, Json } from './demo-service.js';

export const LOOKBACK_DAYS = 90;
const POLL_MS = 50;
const FINISH_WITHIN_MS = 60_000;

/** The workspace of the demo. */
export type Scene = { readonly service: DemoService; readonly workspaceId: number; readonly apiKey: string };

/** The ended runs of a launch, and its quote. */
export type QuotedRuns = { readonly quote: Json; readonly runs: readonly Json[]; readonly spent: number };

/**
 * Quotes a launch of a setup, launches it with that quote and waits for its runs: they spend what was quoted. A quote
 * of 0 covers no signal, so nothing is launched with it.
 */
export async function runToItsEnd({ service, apiKey }: Scene, setupId: number): Promise<QuotedRuns> {
  const body = { agent_id: setupId, parameters: { lookback_days: LOOKBACK_DAYS } };
  const quote = await service.api(apiKey, 'POST /api/v2/workspace/signal-runs/quote', body);
  const launched: readonly Json[] = await service.api(apiKey, 'POST /api/v2/workspace/signal-runs', {
    ...body,
    ...(quote.credits_at_most > 0 && { quote_id: quote.quote_id }),
  });
  const runs: Json[] = [];
  for (const { signal_request_id: runId } of launched) runs.push(await endOf(service, apiKey, runId));
  const spent = runs.reduce((sum, run) => sum + run.credits_spent, 0);
  agree(`whether the quote of setup ${setupId} is exact`, quote.exact, true);
  agree(`credits quoted for setup ${setupId}`, quote.credits_at_most, spent);
  return { quote, runs, spent };
}

async function endOf(service: DemoService, apiKey: string, runId: number): Promise<Json> {
  const deadline = Date.now() + FINISH_WITHIN_MS;
  for (;;) {
    const run = await service.api(apiKey, `GET /api/v2/workspace/signal-runs/${runId}`);
    if (run.stage !== 'running') return run;
    if (Date.now() > deadline) throw new Error('the run did not end');
    await delay(POLL_MS);
  }
}
