import type { Type } from '@nestjs/common';
import { declarationOf } from '#http/endpoint.js';

/**
 * The `controllers` and `providers` of a Nest module from one list: endpoints, handlers and other providers. The handler
 * of an endpoint message stands for the message too. A message that extends another one is listed itself. Throws for a
 * class without a decorator: it would be a part that is never used.
 */
export function endpointsOf(...classes: readonly Type[]) {
  const isEndpoint = (each: Type): boolean => declarationOf(each) !== null;
  return {
    controllers: classes.flatMap((each) => (isEndpoint(each) ? [each] : messagesOf(each).filter(isEndpoint))),
    providers: classes.filter((each) => !isEndpoint(each)),
  };
}

/** Where Nest's buses read the message of a handler, and the mark of every other provider. */
const MESSAGE_KEYS = ['__queryHandler__', '__commandHandler__'];
const PROVIDER_KEY = '__injectable__';

/** The message of a handler; none for another provider. */
function messagesOf(provider: Type): readonly Type[] {
  const messages = MESSAGE_KEYS.flatMap((key) => {
    const message: Type | undefined = Reflect.getOwnMetadata(key, provider);
    return message === undefined ? [] : [message];
  });
  if (messages.length === 0 && Reflect.getOwnMetadata(PROVIDER_KEY, provider) !== true)
    throw new Error(`${provider.name} is neither an endpoint nor a handler nor another provider`);
  return messages;
}
