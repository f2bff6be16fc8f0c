import { counted } from '#kernel/values/counted.js';
import { PARTITIONS } from '#kernel/events/workspace-partition.js';
import { unstaffedPartitions } from '#process-engine/partitions.js';
import { FAR_BEHIND_SECONDS } from '#projection-engine/readiness.js';
import type { ServiceHost } from './service-host.js';

/** Whether this process can serve, as the health route reports it; failing parts are named. */
export function readiness(host: ServiceHost) {
  const reach = async (name: string, ping: Promise<unknown>): Promise<string | null> => {
    try {
      await ping;
      return null;
    } catch (error) {
      return `${name}: ${error instanceof Error ? error.message : String(error)}`;
    }
  };
  return {
    async report() {
      const about = { stores: host.stores.kinds, log: host.logId };
      const unreachable = await Promise.all([
        reach(
          'event store',
          host.eventStore.head().then(() => host.eventStore.requireSpace()),
        ),
        reach('read store', host.stores.reads.ping()),
        reach('network store', host.network.ping()),
      ]);
      const reasons = unreachable.filter((reason) => reason !== null);
      if (reasons.length > 0) return { ready: false, degraded: host.degraded(), reasons, ...about };
      const [models, unstaffed] = await Promise.all([
        host.projections.readiness(),
        unstaffedPartitions(host.stores.reads),
      ]);
      const lag = ({ name, lagSeconds }: (typeof models.behind)[number]): string =>
        `${name}: ${Math.floor(lagSeconds)} s behind`;
      return {
        ready: models.ready,
        ...about,
        degraded: [
          ...host.degraded(),
          ...models.parked.map(
            ({ name, workspaceIds }) => `${name}: parked for ${counted(workspaceIds.length, 'workspace')}`,
          ),
          ...models.unled.map((name) => `read models of the group ${name}: no worker projects them`),
          ...(unstaffed === PARTITIONS ? ['background work: no worker processes due work'] : []),
          ...models.behind.filter(({ lagSeconds }) => lagSeconds < FAR_BEHIND_SECONDS).map(lag),
        ],
        reasons: [
          ...models.builtAnew.map(
            ({ reason, views, ready, events, isBuilt }) =>
              `${reason}; they are being rebuilt${isBuilt ? '' : ' as soon as a worker runs'}: ` +
              `${ready} of ${views} are ready, the others have read ${events} events`,
          ),
          ...models.unserved.map(
            (name) => `${name}: filled by another worker from events that are not in this event store`,
          ),
          ...models.notCaughtUp.map(
            ({ name, version, isBuilt }) =>
              `${name}: version ${version} has not caught up yet${isBuilt ? '' : ', and no worker builds it'}`,
          ),
          ...models.halted.map(({ name, reason }) => `${name}: halted: ${reason}`),
          ...models.behind.filter(({ lagSeconds }) => lagSeconds >= FAR_BEHIND_SECONDS).map(lag),
        ],
      };
    },
  };
}
