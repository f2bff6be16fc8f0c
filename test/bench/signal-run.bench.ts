import { executeSignalRun } from '#signals/runs/execute-signal-run.process.js';
import { detections } from '#projections/signals/detections/detections.projection.js';
import { openSignalHouse } from '../support/signal-house.js';
import { timed, type Bench } from './bench.js';

const MATCHES = 20_000;
/** Paid matches a second, from launch to full visibility, that a run of this size should reach. */
const WANTED_MATCHES_PER_SECOND = 2_000;
const INGESTED_AT_ONCE = 5_000;
const MEGABYTE = 1024 * 1024;
const NEVER = new AbortController().signal;

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** A whole run: every post is found, held for, recorded, captured, and shown by the read models. */
export const signalRunBench: Bench = {
  name: 'signal-run',
  async run() {
    const house = await openSignalHouse();
    try {
      for (let first = 0; first < MATCHES; first += INGESTED_AT_ONCE)
        await house.ingest(
          Array.from({ length: INGESTED_AT_ONCE }, (_, index) => ({
            kind: 'post',
            ref: `post:${first + index}`,
            text: 'Some words about ledgers and more.',
            published_at: new Date(house.now().getTime() - (first + index + 1) * 60_000).toISOString(),
          })),
        );
      const workspaceId = await house.workspace({ mode: 'self' }, MATCHES * 10);
      const launched = await house.launch(workspaceId, await house.agent(workspaceId), {
        keyword: 'ledgers',
      });
      const host = house.worker();
      let most = 0;
      const watch = setInterval(() => {
        most = Math.max(most, process.memoryUsage().heapUsed);
      }, 250);
      const before = process.memoryUsage().heapUsed;
      const cpuBefore = process.cpuUsage();
      const elapsed = await timed(async () => {
        await executeSignalRun.act(host, launched.work, NEVER);
        await house.caughtUp();
      });
      clearInterval(watch);
      const { user, system } = process.cpuUsage(cpuBefore);
      const computedMs = (user + system) / 1_000;
      const shown = await house.reads.count(detections, {
        where: { runId: launched.work.runId, workspaceId },
      });
      return [
        {
          what: `a run of ${MATCHES.toLocaleString('en')} paid matches, from the launch until all are visible`,
          measured: (shown / elapsed) * 1_000,
          unit: 'matches/s',
          beside: 'goal',
          besideValue: WANTED_MATCHES_PER_SECOND,
          goal: { atLeast: 1 },
          // everything except computing is a wait for the disk: the run's batches are committed one after another
          proof: `${shown} of ${MATCHES} shown; ${seconds(computedMs)} of processor in ${seconds(elapsed)}; at most ${Math.round((most - before) / MEGABYTE)} MB more on the heap`,
        },
      ];
    } finally {
      await house.close();
    }
  },
};
