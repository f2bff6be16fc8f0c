import type { ServiceHost } from './service-host.js';

/** Whether this process can serve, in the words of the health route; a part that fails is named. */
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
      const stores = host.stores.kinds;
      const unreachable = await Promise.all([
        reach('event store', host.eventStore.head()),
        reach('read store', host.stores.reads.ping()),
        reach('network store', host.network.ping()),
      ]);
      const reasons = unreachable.filter((reason) => reason !== null);
      if (reasons.length > 0) return { ready: false, degraded: [], reasons, stores };
      const models = await host.projections.readiness();
      const parked = models.parked.map(
        ({ name, workspaceIds }) => `${name}: parked for ${workspaceIds.length} workspaces`,
      );
      return {
        ready: models.ready,
        stores,
        degraded: parked,
        reasons: [
          ...models.notCaughtUp.map((name) => `${name}: has not caught up yet`),
          ...models.halted.map(({ name, reason }) => `${name}: halted: ${reason}`),
        ],
      };
    },
  };
}
