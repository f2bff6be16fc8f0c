import { openSignalHouse } from '../support/signal-house.js';
import type { Bench } from './bench.js';
import { paidRun } from './paid-run.js';

const MATCHES = 20_000;
/** Paid matches a second, from launch to full visibility, that a run of this size should reach. */
const WANTED_MATCHES_PER_SECOND = 2_000;
const MEGABYTE = 1024 * 1024;

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** A whole run on the embedded stores. */
export const signalRunBench: Bench = {
  name: 'signal-run',
  async run() {
    const house = await openSignalHouse();
    try {
      let most = 0;
      const watch = setInterval(() => {
        most = Math.max(most, process.memoryUsage().heapUsed);
      }, 250);
      const before = process.memoryUsage().heapUsed;
      const { shown, elapsedMs, processorMs } = await paidRun(house, MATCHES);
      clearInterval(watch);
      return [
        {
          what: `a run of ${MATCHES.toLocaleString('en')} paid matches, from the launch until all are visible`,
          measured: (shown / elapsedMs) * 1_000,
          unit: 'matches/s',
          beside: 'goal',
          besideValue: WANTED_MATCHES_PER_SECOND,
          goal: { atLeast: 1 },
          // everything except computing is a wait for the disk: the run's batches are committed one after another
          proof: `${shown} of ${MATCHES} shown; ${seconds(processorMs)} of processor in ${seconds(elapsedMs)}; at most ${Math.round((most - before) / MEGABYTE)} MB more on the heap`,
        },
      ];
    } finally {
      await house.close();
    }
  },
};
