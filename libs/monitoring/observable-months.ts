import { processContext } from '#kernel/commands/process-context.js';
import { eachPage } from '#kernel/projections/each-page.js';
import { sha256Hex } from '#kernel/values/hash.js';
import { inPieces } from '#kernel/values/pieces.js';
import { accountMonitoring, retryObservable } from './domain/account-monitoring.js';
import { MAX_UNITS_AT_ONCE } from './domain/account-monitoring.events.js';
import { separateObservable } from './separate-observable.js';
import {
  monitoredUnits,
  type MonitoredUnitDocument,
} from '#projections/monitoring/monitored-units/monitored-units.projection.js';
import { networkFollower, type CheckApart, type NetworkFollower } from '#process-engine/network-follower.js';
import type { ProcessHost } from '#process-engine/process.js';

type ObservableHost = Pick<
  ProcessHost,
  'commands' | 'ids' | 'readModels' | 'directory' | 'clock' | 'isParked'
>;

const PAGE = 500;

/**
 * Retries accounts that are not covered because nothing could be observed of them, once the network has learned of
 * their companies (MON-62). Returns their number. They are paid in the order of all uncovered units (OP-27).
 */
export function observableMonths(host: ObservableHost, onError: (error: unknown) => void): NetworkFollower {
  return networkFollower(host, {
    onError,
    waitsFor: [monitoredUnits.name],
    async look(signal, apart) {
      let observable = 0;
      const pages = eachPage(host.readModels, monitoredUnits, {
        where: { rests: true },
        sort: [
          ['workspaceId', 'asc'],
          ['unit', 'asc'],
        ],
        limit: PAGE,
      });
      for await (const resting of pages) {
        observable += await retryPage(host, resting, apart);
        if (signal.aborted) break;
      }
      return observable;
    },
  });
}

async function retryPage(
  host: ObservableHost,
  resting: readonly MonitoredUnitDocument[],
  apart: CheckApart,
): Promise<number> {
  let retried = 0;
  for (const workspaceId of new Set(resting.map((unit) => unit.workspaceId))) {
    const own = resting.filter((unit) => unit.workspaceId === workspaceId);
    const { observable } = await separateObservable(host, workspaceId, own);
    if (observable.length === 0) continue;
    retried += await apart(workspaceId, async () => {
      for (const piece of inPieces(observable, MAX_UNITS_AT_ONCE)) await retry(host, workspaceId, piece);
      return observable.length;
    });
  }
  return retried;
}

async function retry(
  { commands, clock }: ObservableHost,
  workspaceId: number,
  units: readonly MonitoredUnitDocument[],
): Promise<void> {
  // The same months get the same command from every worker and every check.
  const months = units.map(({ unit, lapsesAt }) => `${unit} ${lapsesAt}`).join();
  const commandId = `observable-months:${workspaceId}:${sha256Hex(months)}`;
  const now = clock.now().toISOString();
  const observable = units.flatMap(({ companyId, personaId, lapsesAt }) =>
    lapsesAt === null ? [] : [{ companyId, personaId, since: lapsesAt }],
  );
  await commands.handle(
    accountMonitoring,
    String(workspaceId),
    retryObservable({ units: observable, learnedAt: now }),
    { context: processContext('observable-months', workspaceId, commandId) },
  );
}
