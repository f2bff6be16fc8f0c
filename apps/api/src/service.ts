import { requireFeature, workspace } from '#access/domain/workspaces/workspace.js';
import { processHolder } from '#projection-engine/held-lease.js';
import { apiKeyAuthentication } from '#http/authentication.js';
import { monthsDue } from '#monitoring/months-due.js';
import { signalsOfCharges } from '#signals/launching/signals-of-charges.js';
import { Cursors } from '#http/cursors.js';
import { createDispatcher } from '#http/dispatcher.js';
import type { Feature } from '#http/endpoint-spec.js';
import { createHttpApp } from '#http/http-app.js';
import { MOST_LIVE_KEYS } from '#http/idempotency.js';
import { apiKeyDirectory } from '#access/api-key-directory.js';
import { noteApiKeyUses } from '#access/api-key-uses.js';
import { KEPT_MS, keyedRequests } from '#keyed-requests/keyed-requests.js';
import { liveKeys } from '#keyed-requests/live-keys.js';
import { feedSource } from '#delivery/event-feed.js';
import { listeningOn } from '#runtime/listening-on.js';
import { parkedGuard } from '#projection-engine/parked-guard.js';
import type { Outside } from '#runtime/outside.js';
import type { Settings } from '#runtime/settings.js';
import {
  startService as start,
  type Listener,
  type ListenerParts,
  type Service,
  type WorkThreadChoice,
} from '#runtime/start-service.js';
import { cursorSecret } from '#runtime/stores.js';
import { consolePages } from '#apps/console/src/console.module.js';
import { mcpDoor } from '#apps/mcp/src/mcp.module.js';
import { WorkspaceLocks } from '#signals/quoting/workspace-locks.js';
import { ApiModule } from './api.module.js';
import { apiGuides } from './reference/guides.js';
import { apiReference } from './reference/reference.js';
import { webhookEvents } from './reference/webhook-events.js';
import openApiExamples from './openapi-examples.json' with { type: 'json' };

export type { Service };

/** Starts the service with its public API; without the role `api` it is a worker. */
export const startService = (
  settings: Settings,
  outside: Partial<Outside> & WorkThreadChoice = {},
): Promise<Service> => start(settings, startApi, outside, consolePages);

async function startApi(parts: ListenerParts): Promise<Listener> {
  const { host, settings, readiness, logger, metrics, version, tracing } = parts;
  const { clock, network } = host;
  const holder = processHolder();
  const { claims, kept, commands, ids } = keyedRequests({
    ...host,
    holder,
    liveKeys: liveKeys({ reads: host.stores.reads, holder, keptMs: KEPT_MS, most: MOST_LIVE_KEYS }),
  });
  const { networkBaseUrl, docsUrl } = settings;
  const { readModels, inWorkspace } = parkedGuard(host.readModels, host.projections.isParked);
  const noteUse = noteApiKeyUses(host.stores.reads, clock, (error) => {
    logger.warn({ err: error }, 'the use of an API key could not be recorded');
  });
  const directory = apiKeyDirectory(host.eventStore);
  const apiKey = apiKeyAuthentication(directory, settings.apiKeyCacheMs, undefined, noteUse);
  const mayUse = (workspaceId: number, feature: Feature): Promise<void> =>
    commands.load(workspace, String(workspaceId), (state) => void requireFeature(state, feature));
  const dispatcher = createDispatcher({
    claims,
    kept,
    requireFeature: mayUse,
    reference: apiReference,
    docsUrl,
    logger,
  });
  const cursors = new Cursors(cursorSecret(settings));
  const origins = settings.corsOrigins;
  const app = await createHttpApp({
    rootModule: ApiModule.with(
      {
        commands,
        ids,
        readModels,
        progress: host.progress,
        locks: new WorkspaceLocks(host.stores.reads),
        clock,
        network: network.source,
        directory: network.directory,
        researchLimits: host.researchLimits,
        coverage: host.coverage,
        topAccounts: host.topAccounts,
        ledgers: host.ledgers,
        chargeOrigins: host.chargeOrigins,
        hasCapScope: host.hasCapScope,
        monthsDue,
        signalsOfCharges,
        eventFeed: feedSource(readModels, network.directory, host.projections),
        webhooks: host.webhooks,
        cursors,
        networkBaseUrl,
        logId: host.logId,
      },
      [mcpDoor({ dispatch: dispatcher, cursors, clock, logger, version, origins })],
    ),
    dispatcher,
    callers: { apiKey },
    readiness,
    logger,
    metrics,
    tracing,
    docsUrl,
    published: {
      version,
      examples: openApiExamples,
      reference: apiReference,
      guides: apiGuides,
      webhooks: webhookEvents,
    },
    corsOrigins: origins,
    claims,
    requireFeature: mayUse,
    rateLimit: settings.rateLimit,
    trustedProxies: settings.trustedProxies,
    deprecatedSince: new Date(settings.deprecatedSince),
    sunsetDate: settings.sunsetDate === null ? null : new Date(settings.sunsetDate),
    verifyResponses: settings.verifyResponses,
    inWorkspace,
  });
  host.whenApiKeyRevoked(apiKey.forget);
  const { url } = await listeningOn(app.listen(settings.port, settings.host), {
    port: 'PORT',
    host: 'HOST',
  });
  return { url, close: () => app.close() };
}
