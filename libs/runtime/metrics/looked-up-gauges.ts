import { Gauge, type Registry } from 'prom-client';

/** A value of a gauge, with the values of its labels in their order. */
export type GaugeValue = readonly [labels: readonly string[], value: number];

/** A gauge: its name, its meaning, its labels and the source of its readings. */
export type LookedUpGauge<Found> = {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly readings: (found: Found) => readonly GaugeValue[];
};

/** A set of gauges whose readings come from one read of the stores. */
export type Collector = { readonly name: string; readonly look: () => Promise<void> };

/**
 * Gauges that are filled from one read of the stores at each scrape. If the read fails, all of them are left out: no
 * reading is better than an old one.
 */
export function lookedUpGauges<Found>(
  registry: Registry,
  name: string,
  look: () => Promise<Found>,
  gauges: readonly LookedUpGauge<Found>[],
): Collector {
  let looking: Promise<Found> | null = null;
  /** All gauges are collected together: the first one reads for all. */
  const found = (): Promise<Found> => (looking ??= look().finally(() => (looking = null)));
  for (const { name: gaugeName, help, labels, readings } of gauges) {
    const gauge = new Gauge({
      name: gaugeName,
      help,
      labelNames: [...labels],
      registers: [registry],
      async collect() {
        const read = await found().then(readings, () => []);
        gauge.reset();
        for (const [values, value] of read) {
          gauge.set(Object.fromEntries(labels.map((label, place) => [label, values[place] ?? ''])), value);
        }
      },
    });
  }
  return { name, look: async () => void (await found()) };
}

/** Reports whether the last read of each collector succeeded. */
export function collectorsUp(registry: Registry, collectors: readonly Collector[]): void {
  const up = new Gauge({
    name: 'collector_up',
    help: 'Whether the gauges of a group could be read: 1, or 0 if they are absent',
    labelNames: ['collector'],
    registers: [registry],
    async collect() {
      await Promise.all(
        collectors.map(async ({ name, look }) => {
          const value = await look().then(
            () => 1,
            () => 0,
          );
          up.set({ collector: name }, value);
        }),
      );
    },
  });
}
