import 'reflect-metadata';
import type { DynamicModule } from '@nestjs/common';
import { mcpDoor } from '#apps/mcp/src/mcp.module.js';
import type { McpParts } from '#apps/mcp/src/mcp-parts.js';
import { ApiModule } from '#apps/api/src/api.module.js';
import type { ApiPorts } from '#apps/api/src/ports.js';
import { declarationOf, type DeclaredEndpoint } from '#http/endpoint.js';
import { documentationEndpoints, healthEndpoints } from '#http/service-endpoints.js';

export type ServedEndpoint = {
  readonly target: unknown;
  readonly declared: DeclaredEndpoint;
  /** Class name of the Nest module that lists it; the http library's own have none. */
  readonly module: string | null;
};

/** Every endpoint that the api serves: those of its modules, and those of the http library. */
export function servedEndpoints(): readonly ServedEndpoint[] {
  // Only the table of contents is read; nothing is injected.
  const doors = [mcpDoor({} as McpParts)];
  const { imports = [] } = ApiModule.with({} as ApiPorts, doors);
  const own = imports.flatMap((module) => endpointsOf(module));
  return [
    ...own,
    ...[...healthEndpoints, ...documentationEndpoints].flatMap((target) => served(target, null)),
  ];
}

function endpointsOf(module: unknown): readonly ServedEndpoint[] {
  if (isDynamic(module))
    return (module.controllers ?? []).flatMap((target) => served(target, module.module.name));
  if (typeof module !== 'function') return [];
  const imports = (Reflect.getMetadata('imports', module) ?? []) as readonly unknown[];
  const controllers = (Reflect.getMetadata('controllers', module) ?? []) as readonly unknown[];
  return [
    ...controllers.flatMap((target) => served(target, module.name)),
    ...imports.flatMap((imported) => endpointsOf(imported)),
  ];
}

const isDynamic = (module: unknown): module is DynamicModule =>
  typeof module === 'object' && module !== null && 'module' in module;

function served(target: unknown, module: string | null): readonly ServedEndpoint[] {
  const declared = declarationOf(target);
  return declared === null ? [] : [{ target, declared, module }];
}
