import { createRequire } from 'node:module';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Tracing } from '#kernel/ports/tracing.port.js';
import { createLogger, type Logger } from '#http/log.js';
import { standardLog } from '#http/log-output.js';
import { countDroppedLines, createRequestMetrics, type RequestMetrics } from '#http/metrics.js';
import type { ReadinessReporter } from '#http/service-endpoints.js';
import { openAddressFile } from './address-file.js';
import { ledgerMetrics } from './metrics/ledger-metrics.js';
import { machineRoomMetrics } from './metrics/machine-room-metrics.js';
import { serviceMeter } from './metrics/service-meter.js';
import { startOperatorListener, type OperatorPages } from './operator-listener.js';
import { readiness } from './readiness.js';
import type { Outside } from './outside.js';
import { openServiceHost, type ServiceHost } from './service-host.js';
import type { Settings } from './settings.js';
import { allEnded, allSteps } from './stop-steps.js';
import { readinessChecks, loggedReadiness } from './logged-readiness.js';
import type { OpenTracing } from './tracing/open-tracing.js';
import type { DeliveryLog } from './tracing/logged-delivery.js';
import { troubleLog } from './trouble-log.js';
import { waitForStores } from './wait-for-stores.js';

const { version }: { readonly version: string } = createRequire(import.meta.url)('#package');

export type Service = {
  readonly host: ServiceHost;
  /** null when this process serves no public API. */
  readonly url: string | null;
  readonly opsUrl: string | null;
  readonly stop: () => Promise<void>;
};

export type WorkThreadChoice = {
  /**
   * Whether a process that answers requests and does due work does the due work on a thread, if its stores are embedded.
   * The settings must be those of the environment, which the thread reads.
   */
  readonly hasWorkThread?: boolean;
};

/** The dependencies of a public listener. */
export type ListenerParts = {
  readonly host: ServiceHost;
  readonly settings: Settings;
  readonly readiness: ReadinessReporter;
  readonly logger: Logger;
  readonly metrics: RequestMetrics;
  readonly version: string;
  /** The tracing of requests; null: none. */
  readonly tracing: Tracing | null;
};
export type Listener = { readonly url: string; readonly close: () => Promise<void> };

/**
 * The interval at which Node measures the lag of its event loop: the default of 10 ms costs an idle process more than
 * everything else.
 */
const LOOP_LOOKED_AT_EVERY_MS = 250;

// The packages are loaded only if a collector is configured.
async function tracingOf({ tracing }: Settings, log: DeliveryLog): Promise<OpenTracing | null> {
  if (tracing === null) return null;
  const { openTracing } = await import('./tracing/open-tracing.js');
  return openTracing(tracing, version, log);
}

/** Logs for the event loop and for its thread, whose spans have a connection of their own, when both have the same trouble. */
function deliveryLogs(logger: Logger): () => DeliveryLog {
  const losing = new Set<DeliveryLog>();
  return () => {
    const log: DeliveryLog = {
      lost(reason) {
        if (losing.size === 0)
          logger.warn({ reason }, 'traces do not reach the collector; the service continues');
        losing.add(log);
      },
      back() {
        if (losing.delete(log) && losing.size === 0) logger.info('traces reach the collector again');
      },
    };
    return log;
  };
}

/**
 * Starts the parts for the roles in the settings: background work, and the public listener if one is given.
 * Resolves when it listens; `stop` drains and releases everything.
 */
export async function startService(
  settings: Settings,
  startApi?: (parts: ListenerParts) => Promise<Listener>,
  { hasWorkThread = false, ...outside }: Partial<Outside> & WorkThreadChoice = {},
  pages: OperatorPages | null = null,
): Promise<Service> {
  const logger = createLogger(settings.logLevel);
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_LOOKED_AT_EVERY_MS });
  const metrics = createRequestMetrics(registry);
  const meter = serviceMeter(registry);
  countDroppedLines(registry, standardLog());
  const deliveryLog = deliveryLogs(logger);
  const tracing = await tracingOf(settings, deliveryLog());
  const onTrouble = troubleLog(logger, meter.failed, tracing);
  for (const misspelt of settings.misspelt) logger.warn(misspelt);
  const onUpgrade = (line: string): void => {
    logger.info(line);
    // A large file is migrated in one transaction, which blocks the event loop.
    standardLog().flush();
  };
  const doesBoth = settings.roles.includes('api') && settings.roles.includes('worker');
  const threadReports =
    hasWorkThread && doesBoth
      ? { log: (line: string) => standardLog().write(line), collector: deliveryLog() }
      : null;
  const host = await waitForStores(
    () =>
      openServiceHost(settings, onTrouble, false, { meter, tracing, onUpgrade, threadReports, ...outside }),
    {
      patienceMs: settings.storeStartPatienceMs,
      stopping: outside.stopping ?? undefined,
      onWait: (reason, secondsLeft) => logger.warn({ reason, secondsLeft }, 'waiting for a store'),
    },
  );
  ledgerMetrics(registry, meter.movements, host.readModels);
  machineRoomMetrics(registry, host.machineRoom);
  for (const notice of host.stores.notices) logger.info(notice);
  const addressFile = openAddressFile(settings.dataDirectory, onTrouble);
  const listeners: { close: () => Promise<void> }[] = [];
  let endChecks = async (): Promise<void> => undefined;
  const stop = async (): Promise<void> => {
    addressFile.remove();
    // Background work and rebuilds end first: an operator who waits for them would keep a listener open. `host.stop`
    // reports a failure of that.
    host.endDueWork().catch(() => undefined);
    host.endRebuilds().catch(() => undefined);
    const lastCheck = endChecks();
    // Both concurrently: each may be delayed by its clients. Then the stores.
    await allSteps([
      () => allEnded(listeners.splice(0).map((listener) => listener.close())),
      () => lastCheck,
      host.stop,
      async () => tracing?.close(),
    ]);
  };
  const opened = async <Part extends { close: () => Promise<void> }>(
    opening: Promise<Part>,
  ): Promise<Part> => {
    const part = await opening;
    listeners.push(part);
    return part;
  };
  try {
    if (settings.roles.includes('worker')) await host.startWork({ doesDueWork: true });
    const logged = loggedReadiness(readiness(host), ({ ready, reasons: [reason, ...others] }) => {
      if (ready) logger.info('ready');
      else logger.warn({ reason, others: others.length }, 'not ready');
    });
    endChecks = readinessChecks(logged);
    const parts = { host, settings, readiness: logged, logger, metrics, version, tracing };
    const api =
      settings.roles.includes('api') && startApi !== undefined ? await opened(startApi(parts)) : null;
    const { ops, docsUrl, verifyResponses } = settings;
    const operators =
      ops === null
        ? null
        : await opened(
            startOperatorListener(
              {
                host,
                token: ops.token,
                pages,
                docsUrl,
                trustedProxies: settings.trustedProxies,
                registry,
                metrics,
                readiness: logged,
                logger,
                tracing,
                verifyResponses,
              },
              ops,
            ),
          );
    const address = { url: api?.url ?? null, ops_url: operators?.url ?? null, pid: process.pid };
    // A worker without a listener leaves the file to the service that has one.
    if (address.url !== null || address.ops_url !== null) await addressFile.write(address);
    const docs = address.url === null ? {} : { docs: `${address.url}/docs` };
    logger.info({ ...address, ...docs, roles: settings.roles, version }, 'listening');
    host.startThread();
    return { host, url: address.url, opsUrl: address.ops_url, stop };
  } catch (error) {
    // The first error names the cause, also if the stop fails for the same reason.
    await stop().catch(() => undefined);
    throw error;
  }
}
