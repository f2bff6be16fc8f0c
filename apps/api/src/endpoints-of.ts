import type { Type } from '@nestjs/common';
import { declarationOf } from '#http/endpoint.js';

/**
 * The `controllers` and `providers` of a Nest module from one list: endpoints, handlers and other providers. The handler of an
 * endpoint message stands for the message too. A message that extends another one is listed itself.
 */
export function endpointsOf(...classes: readonly Type[]) {
  const isEndpoint = (each: Type): boolean => declarationOf(each) !== null;
  return {
    controllers: classes.flatMap((each) => [each, ...messagesOf(each)]).filter(isEndpoint),
    providers: classes.filter((each) => !isEndpoint(each)),
  };
}

/** The message of a handler, where Nest's buses read it; none for another class. */
function messagesOf(handler: Type): readonly Type[] {
  const keys = ['__queryHandler__', '__commandHandler__'];
  return keys.flatMap((key): readonly Type[] => Reflect.getOwnMetadata(key, handler) ?? []);
}
