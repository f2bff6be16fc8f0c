import type { FastifyRequest } from 'fastify';
import type { CompiledEndpoint } from './compiled-endpoint.js';

/** An endpoint on one of its paths. */
export type MountedRoute = {
  readonly compiled: CompiledEndpoint;
  /** Pattern of the path, never the requested path. */
  readonly path: string;
  readonly bodyLimitBytes: number;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    mounted?: MountedRoute;
  }
  interface FastifyRequest {
    /** Undefined until `mountedRoute` is called. */
    mounted: MountedRoute | null | undefined;
  }
}

/**
 * The route of a request, null if none matched. Fastify assembles its route options at each access, and every request
 * needs the route several times.
 */
export function mountedRoute(request: FastifyRequest): MountedRoute | null {
  if (request.mounted === undefined) request.mounted = request.routeOptions.config?.mounted ?? null;
  return request.mounted;
}
