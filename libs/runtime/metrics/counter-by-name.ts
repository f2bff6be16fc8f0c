import { Counter, type Registry } from 'prom-client';
import type { Tally } from './tally.js';

/** Creates counters with one label from the sums of a tally, read at each scrape after `before`. */
export function counterByName(registry: Registry) {
  return (
    name: string,
    help: string,
    label: string,
    counted: Tally,
    before: () => Promise<void> = async () => undefined,
  ): void => {
    const counter = new Counter({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      async collect() {
        // A failure is retried at the next scrape; the sums so far are reported.
        await before().catch(() => undefined);
        counter.reset();
        for (const [value, sum] of counted.entries()) counter.inc({ [label]: value }, sum);
      },
    });
  };
}
