import type { Registry } from 'prom-client';
import { operatorDirectory } from '#access/operator-directory.js';
import { createHttpApp, type HttpAppOptions } from '#http/http-app.js';
import { operatorAuthentication } from '#http/operator-token.js';
import type { OperatorHost } from '#ops/support/operator-command.js';
import { listeningOn } from './listening-on.js';
import { OperatorModule } from './operator-endpoints.js';

export type OperatorListenerOptions = Pick<
  HttpAppOptions,
  'docsUrl' | 'readiness' | 'logger' | 'metrics' | 'tracing' | 'verifyResponses'
> & {
  readonly host: OperatorHost;
  readonly token: string;
  /** What `GET /metrics` tells. */
  readonly registry: Registry;
};

/** There is one operator, for all that it takes. */
const BODY_BOUNDS = { ofCaller: 128 * 1024 * 1024, inAll: 128 * 1024 * 1024 };

/**
 * The private listener: `POST /ops/<command>` and `GET /metrics`, for whoever has the operator token, on
 * the loopback interface unless told otherwise. It answers the health routes to everybody, for a worker has no other listener.
 */
export async function startOperatorListener(
  options: OperatorListenerOptions,
  address: { readonly host: string; readonly port: number },
) {
  const { host, token, registry, ...shared } = options;
  const app = await createHttpApp({
    ...shared,
    rootModule: OperatorModule.with(host, registry),
    callers: { operator: operatorAuthentication(token, operatorDirectory(host.eventStore)) },
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
