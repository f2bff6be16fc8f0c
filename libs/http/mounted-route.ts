import type { FastifyRequest } from 'fastify';
import type { CompiledEndpoint } from './compiled-endpoint.js';

/** An endpoint on one of its paths. */
export type MountedRoute = {
  readonly compiled: CompiledEndpoint;
  /** Pattern of the path, never the path that was asked for. */
  readonly path: string;
  readonly bodyLimitBytes: number;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    mounted?: MountedRoute;
  }
  interface FastifyRequest {
    /** Undefined as long as nobody has asked `mountedRoute`. */
    mounted: MountedRoute | null | undefined;
  }
}

/**
 * The route that a request has met, null where there is none. Fastify puts together all that it knows of a route each
 * time it is asked, and every request is asked several times.
 */
export function mountedRoute(request: FastifyRequest): MountedRoute | null {
  if (request.mounted === undefined) request.mounted = request.routeOptions.config?.mounted ?? null;
  return request.mounted;
}
