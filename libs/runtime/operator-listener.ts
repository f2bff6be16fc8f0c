import type { DynamicModule } from '@nestjs/common';
import type { Registry } from 'prom-client';
import type { OperatorDirectory } from '#kernel/values/operators.js';
import type { LinkDirectory } from '#kernel/values/console-links.js';
import type { Authentication } from '#http/callers.js';
import type { Logger } from '#http/log.js';
import { linkDirectory } from '#access/link-directory.js';
import { operatorDirectory } from '#access/operator-directory.js';
import { createHttpApp, type HttpAppOptions } from '#http/http-app.js';
import { operatorAuthentication } from '#http/operator-token.js';
import type { OperatorHost } from '#ops/support/operator-command.js';
import { listeningOn } from './listening-on.js';
import { OperatorModule } from './operator-endpoints.js';

export type OperatorListenerOptions = Pick<
  HttpAppOptions,
  'docsUrl' | 'trustedProxies' | 'readiness' | 'logger' | 'metrics' | 'tracing' | 'verifyResponses'
> & {
  readonly host: OperatorHost;
  readonly token: string;
  /** The pages for browsers on this listener; absent or null: none. */
  readonly pages?: OperatorPages | null;
  /** The metrics of `GET /metrics`. */
  readonly registry: Registry;
};

/** The dependencies of the pages: the host of the commands and the check of operators. */
export type OperatorPages = (parts: {
  readonly host: OperatorHost;
  /** Identifies an operator by `Bearer <token>`. */
  readonly authenticate: Authentication['authenticate'];
  readonly directory: OperatorDirectory;
  readonly links: LinkDirectory;
  readonly logger: Logger;
}) => DynamicModule;

/** Operators count together: whoever has a token is trusted. */
const BODY_BOUNDS = { ofCaller: 128 * 1024 * 1024, inAll: 128 * 1024 * 1024 };

/**
 * The private listener: `POST /ops/<command>` and `GET /metrics`, for holders of the operator
 * token, on the loopback interface by default. The health routes need no token: a worker has no other listener.
 */
export async function startOperatorListener(
  options: OperatorListenerOptions,
  address: { readonly host: string; readonly port: number },
) {
  const { host, token, registry, pages = null, ...shared } = options;
  const directory = operatorDirectory(host.eventStore);
  const { authenticate, ...others } = operatorAuthentication(token, directory);
  const withPages =
    pages === null
      ? []
      : [pages({ host, authenticate, directory, links: linkDirectory(host), logger: options.logger })];
  const app = await createHttpApp({
    ...shared,
    rootModule: OperatorModule.with(host, registry, withPages),
    callers: { operator: { authenticate, ...others } },
    ...(pages === null ? {} : { pagesBelow: '/console/' }),
    hidesRoutes: true,
    takesStreams: true,
    bodyBounds: BODY_BOUNDS,
  });
  const { url } = await listeningOn(app.listen(address.port, address.host), {
    port: 'OPS_PORT',
    host: 'OPS_HOST',
  });
  return { url, close: () => app.close() };
}
