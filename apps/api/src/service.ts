import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { createHttpApp } from '#http/http-app.js';
import { createLogger } from '#http/log.js';
import { createRequestMetrics } from '#http/metrics.js';
import { apiKeyDirectory } from '#runtime/api-key-directory.js';
import { startOperatorListener } from '#runtime/operator-listener.js';
import { openServiceHost, type ServiceHost } from '#runtime/service-host.js';
import { parkedGuard } from '#runtime/parked-guard.js';
import { readiness } from '#runtime/readiness.js';
import type { Settings } from '#runtime/settings.js';
import { cursorSecret } from '#runtime/stores.js';
import { ApiModule } from './api.module.js';

const { version } = createRequire(import.meta.url)('#package') as { version: string };

export type Service = {
  readonly host: ServiceHost;
  /** null when this process is a worker only. */
  readonly url: string | null;
  readonly opsUrl: string | null;
  readonly stop: () => Promise<void>;
};

/** Starts what the roles of the settings name. Resolves when it listens; `stop` drains and frees everything. */
export async function startService(settings: Settings): Promise<Service> {
  const logger = createLogger(settings.logLevel);
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  const host = await openServiceHost(settings, (what, error) => {
    if (error === null) logger.warn({ what }, 'late');
    else logger.error({ err: error, what }, 'background work failed; it will be tried again');
  });
  const closing: (() => Promise<void>)[] = [() => host.stop()];
  const stop = async (): Promise<void> => {
    rmSync(addressFile, { force: true });
    for (const close of closing.splice(0).reverse()) await close();
  };
  const addressFile = join(settings.dataDirectory, 'address.json');
  try {
    if (settings.roles.includes('worker')) await host.startWork();
    const api = settings.roles.includes('api') ? await startApi() : null;
    const ops =
      settings.ops === null
        ? null
        : await startOperatorListener(
            { host, token: settings.ops.token, docsUrl: settings.docsUrl, metrics, logger },
            settings.ops.port,
          );
    if (ops !== null) closing.push(() => ops.close());
    const address = { url: api?.url ?? null, ops_url: ops?.url ?? null, pid: process.pid };
    writeFileSync(addressFile, `${JSON.stringify(address)}\n`);
    logger.info({ ...address, roles: settings.roles, version }, 'listening');
    return { host, url: address.url, opsUrl: address.ops_url, stop };
  } catch (error) {
    await stop();
    throw error;
  }

  async function startApi() {
    const { commands, ids, clock, network } = host;
    const { readModels, inWorkspace } = parkedGuard(host.readModels, host.projections.isParked);
    const { networkBaseUrl, docsUrl } = settings;
    const app = await createHttpApp({
      rootModule: ApiModule.with({
        commands,
        ids,
        readModels,
        clock,
        directory: network.directory,
        settings: { networkBaseUrl, docsUrl, cursorSecret: cursorSecret(settings) },
      }),
      apiKeys: apiKeyDirectory(host.eventStore),
      apiKeyCacheTtlMs: settings.apiKeyCacheMs,
      readiness: readiness(host),
      logger,
      metrics: createRequestMetrics(metrics),
      docsUrl,
      version,
      corsOrigins: settings.corsOrigins,
      sunsetDate: settings.sunsetDate === null ? null : new Date(settings.sunsetDate),
      verifyResponses: settings.verifyResponses,
      inWorkspace,
    });
    closing.push(() => app.close());
    return app.listen(settings.port, settings.host);
  }
}
