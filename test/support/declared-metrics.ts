import { Registry } from 'prom-client';
import { countDroppedLines, createRequestMetrics } from '#http/metrics.js';
import { systemClock } from '#kernel/ports/clock.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { ledgerMetrics } from '#runtime/metrics/ledger-metrics.js';
import { machineRoomMetrics } from '#runtime/metrics/machine-room-metrics.js';
import { serviceMeter } from '#runtime/metrics/service-meter.js';

/** A metric as the code declares it. */
export type DeclaredMetric = {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly labels: readonly string[];
};

const away = (): Promise<never> => Promise.reject(new Error('there is no store here'));
const nothing: ReadModels = { get: away, getMany: away, find: away, count: away, groups: away };

/** Every metric of the product, by name; those of Node and of the process come from the client library. */
export async function declaredMetrics(): Promise<readonly DeclaredMetric[]> {
  const registry = new Registry();
  createRequestMetrics(registry);
  countDroppedLines(registry, { dropped: () => 0 });
  const { movements } = serviceMeter(registry);
  ledgerMetrics(registry, movements, nothing);
  machineRoomMetrics(registry, {
    readModels: nothing,
    reads: { lease: away },
    events: { lastEvent: away },
    clock: systemClock,
    isParked: away,
    polls: { memories: away },
    deliveries: away,
    blockOf: away,
    figures: away,
    processes: [],
    groupName: 'all',
  });
  const described = await registry.getMetricsAsJSON();
  const declared = described.map(({ name, help, type }) => {
    const metric: unknown = registry.getSingleMetric(name);
    const { labelNames } = metric as { readonly labelNames: readonly string[] };
    return { name, help, type: String(type), labels: labelNames };
  });
  return declared.toSorted((left, right) => (left.name < right.name ? -1 : 1));
}
