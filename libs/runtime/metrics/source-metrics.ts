import { Counter, type Registry } from 'prom-client';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { PollStore } from '#network/poll-store.port.js';
import { sourceFigures, type KindFigures } from '#sources/source-figures.js';
import { lookedUpGauges, type Collector, type GaugeValue } from './looked-up-gauges.js';

/** One poll of a source. */
export type PollOutcome = {
  readonly kind: string;
  readonly outcome: 'read' | 'failed';
  readonly items: number;
  readonly bytes: number;
};

/** Counts the polls of this process by kind. */
export function pollCounters(registry: Registry): (poll: PollOutcome) => void {
  const count = (name: string, help: string, ...labelNames: string[]): Counter =>
    new Counter({ name, help, labelNames, registers: [registry] });
  const polls = count('source_polls_total', 'Polls of sources by this process', 'kind', 'outcome');
  const items = count('source_items_total', 'New or changed items of sources', 'kind');
  const bytes = count('source_bytes_total', 'Bytes read from sources, unpacked', 'kind');
  return ({ kind, outcome, ...poll }) => {
    polls.inc({ kind, outcome });
    items.inc({ kind }, poll.items);
    bytes.inc({ kind }, poll.bytes);
  };
}

/** The state of the sources by kind: read at each scrape, and the same in every process. */
export function sourceGauges(
  registry: Registry,
  { readModels, polls }: { readonly readModels: ReadModels; readonly polls: Pick<PollStore, 'memories'> },
): Collector {
  const gauge = (name: string, help: string, valueOf: (of: KindFigures) => number) => ({
    name,
    help,
    labels: ['kind'],
    readings: (found: readonly KindFigures[]): readonly GaugeValue[] =>
      found.map((of) => [[of.kind], valueOf(of)] as const),
  });
  return lookedUpGauges(registry, 'sources', () => sourceFigures(readModels, polls, Date.now()), [
    gauge('sources', 'Sources that are polled', (of) => of.sources),
    gauge('sources_failing', 'Sources whose last poll failed', (of) => of.failing),
    gauge(
      'sources_without_yield',
      'Sources that have shown nothing for three times their usual pause',
      (of) => of.withoutYield,
    ),
    gauge(
      'source_oldest_yield_age_seconds',
      'Longest time since a source of this kind showed an item',
      (of) => of.oldestYieldSeconds,
    ),
  ]);
}
