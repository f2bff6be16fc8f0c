import { setTimeout as delay } from 'node:timers/promises';
import type { DemoService, Json } from './demo-service.js';

export const LOOKBACK_DAYS = 90;
const POLL_MS = 50;
const FINISH_WITHIN_MS = 60_000;

/** Whom the demo is about: one workspace. */
export type Scene = { readonly service: DemoService; readonly workspaceId: number; readonly apiKey: string };

/** Launches a setup and waits for its runs; gives them as they ended. */
export async function runToItsEnd({ service, apiKey }: Scene, setupId: number): Promise<readonly Json[]> {
  const launched: readonly Json[] = await service.api(apiKey, 'POST /api/v2/workspace/signal-runs', {
    agent_id: setupId,
    parameters: { lookback_days: LOOKBACK_DAYS },
  });
  const ended: Json[] = [];
  for (const { signal_request_id: runId } of launched) {
    const deadline = Date.now() + FINISH_WITHIN_MS;
    for (;;) {
      const run = await service.api(apiKey, `GET /api/v2/workspace/signal-runs/${runId}`);
      if (run.stage !== 'running') {
        ended.push(run);
        break;
      }
      if (Date.now() > deadline) throw new Error('the run did not end');
      await delay(POLL_MS);
    }
  }
  return ended;
}
