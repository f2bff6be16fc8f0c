import type { Type } from '@nestjs/common';
import { declarationOf, isMessageClass } from '#http/endpoint.js';
import { handlerOf } from './handle.js';

/**
 * The `controllers` and `providers` of a Nest module from one list: endpoints and other providers. A message brings its
 * handler; one that extends another message is answered by the handler of that one. Throws for a message that nothing
 * answers, and for a class without a decorator: it would be a part that is never used.
 */
export function endpointsOf(...classes: readonly Type[]) {
  const isEndpoint = (each: Type): boolean => declarationOf(each) !== null;
  return {
    controllers: classes.filter(isEndpoint),
    providers: classes.flatMap((each) => (isEndpoint(each) ? handlersOf(each) : [requireProvider(each)])),
  };
}

function handlersOf(endpoint: Type): readonly Type[] {
  const handler = handlerOf(endpoint);
  if (handler !== undefined) return [handler];
  const answersItself = !isMessageClass(endpoint);
  if (answersItself || handlerOf(Object.getPrototypeOf(endpoint)) !== undefined) return [];
  throw new Error(`${endpoint.name} has no handler`);
}

/** Where Nest marks a provider. */
const PROVIDER_KEY = '__injectable__';

function requireProvider(provider: Type): Type {
  if (Reflect.getOwnMetadata(PROVIDER_KEY, provider) !== true)
    throw new Error(`${provider.name} is neither an endpoint nor another provider`);
  return provider;
}
