import { executeSignalRun } from '#signals/runs/execute-signal-run.process.js';
import { detections } from '#projections/signals/detections/detections.projection.js';
import type { SignalHouse } from '../support/signal-house.js';
import { processorMs, timed } from './bench.js';

const INGESTED_AT_ONCE = 5_000;
const NEVER = new AbortController().signal;

export type PaidRun = {
  /** Detections that the read models show in the end. */
  readonly shown: number;
  readonly elapsedMs: number;
  /** Of all threads of this process. */
  readonly processorMs: number;
};

/** A run of so many paid matches: every post is found, held for, recorded, captured, and shown by the read models. */
export async function paidRun(house: SignalHouse, matches: number): Promise<PaidRun> {
  for (let first = 0; first < matches; first += INGESTED_AT_ONCE)
    await house.ingest(
      Array.from({ length: Math.min(INGESTED_AT_ONCE, matches - first) }, (_, index) => ({
        kind: 'post',
        ref: `post:${first + index}`,
        text: 'Some words about ledgers and more.',
        published_at: new Date(house.now().getTime() - (first + index + 1) * 60_000).toISOString(),
      })),
    );
  const workspaceId = await house.workspace({ mode: 'self' }, matches * 10);
  const agentId = await house.agent(workspaceId);
  const { work } = await house.launch(workspaceId, agentId, { keyword: 'ledgers' });
  const host = house.worker();
  let elapsedMs = 0;
  const computedMs = await processorMs(async () => {
    elapsedMs = await timed(async () => {
      await executeSignalRun.act(host, work, NEVER);
      await house.caughtUp();
    });
  });
  const shown = await house.reads.count(detections, { where: { runId: work.runId, workspaceId } });
  return { shown, elapsedMs, processorMs: computedMs };
}
