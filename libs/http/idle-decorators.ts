import 'reflect-metadata';
import { Controller } from '@nestjs/common';
import { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

// Requests reach an endpoint without Nest's chain. Nest's own decorators around routes would silently have no effect:
// a guard that never runs looks like protection. Decorators without effect are therefore refused.

/** Decorators that a developer may expect to work, by the metadata that they set. */
const NAMES: { readonly [note: string]: string } = {
  __guards__: '@UseGuards',
  __interceptors__: '@UseInterceptors',
  __pipes__: '@UsePipes',
  __exceptionFilters__: '@UseFilters',
  __routeArguments__: '@Body, @Param, @Query, @Req or another parameter decorator',
  __httpCode__: '@HttpCode',
  __headers__: '@Header',
  __redirect__: '@Redirect',
  __renderTemplate__: '@Render',
  __version__: '@Version',
  __sse__: '@Sse',
  path: '@Controller with a path',
};

/** Metadata of the compiler, the injector and the buses. */
const READ = /^(design|self|optional):|^__(injectable|command|query|commandHandler|queryHandler)__$/;

class Plain {}
Controller()(Plain);

/**
 * Throws if an endpoint, its method or a parameter has a decorator without effect. `method` is the method that a
 * request calls, null for a class that is only instantiated.
 */
export function requireNoIdleDecorators(
  target: object & { readonly name: string },
  method: string | null,
): void {
  const faults = [...idleOnClass(target), ...(method === null ? [] : idleOnMethod(target, method))];
  const [note] = faults;
  if (note === undefined) return;
  const decorator = NAMES[note] ?? `a decorator that notes ${note}`;
  throw new Error(`${target.name}: ${decorator} has no effect at an endpoint`);
}

function idleOnClass(target: object): readonly string[] {
  return Reflect.getMetadataKeys(target)
    .map(String)
    .filter((key) => !READ.test(key))
    .filter((key) => !isAsPlain(target, key));
}

/** As `@Endpoint` sets it on every class. */
function isAsPlain(target: object, key: string): boolean {
  return (
    Reflect.hasMetadata(key, Plain) && Reflect.getMetadata(key, target) === Reflect.getMetadata(key, Plain)
  );
}

function idleOnMethod(target: object, method: string): readonly string[] {
  const prototype: unknown = Reflect.get(target, 'prototype');
  if (typeof prototype !== 'object' || prototype === null) return [];
  const called: unknown = Reflect.get(prototype, method);
  return [
    ...Reflect.getMetadataKeys(target, method),
    ...Reflect.getMetadataKeys(prototype, method),
    ...(typeof called === 'function' ? Reflect.getMetadataKeys(called) : []),
  ]
    .map(String)
    .filter((key) => !READ.test(key));
}

/**
 * Throws for guards and similar that Nest would put around all routes (`APP_GUARD`), and for middleware of modules.
 */
export function requireNothingAround(nest: NestFastifyApplication): void {
  const config = nest.get(ApplicationConfig);
  const around = {
    guard: [...config.getGlobalGuards(), ...config.getGlobalRequestGuards()],
    interceptor: [...config.getGlobalInterceptors(), ...config.getGlobalRequestInterceptors()],
    pipe: [...config.getGlobalPipes(), ...config.getGlobalRequestPipes()],
  };
  for (const [kind, found] of Object.entries(around)) {
    if (found.length > 0) throw new Error(`a global ${kind} has no effect at an endpoint`);
  }
  for (const { metatype } of nest.get(ModulesContainer).values()) {
    if (!Object.hasOwn(metatype.prototype, 'configure')) continue;
    throw new Error(`${metatype.name}: middleware of a module has no effect at an endpoint`);
  }
}
