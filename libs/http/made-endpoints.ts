import { ModulesContainer } from '@nestjs/core';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  declarationOf,
  EndpointQuery,
  handleOf,
  isMessageClass,
  type AnyMessageClass,
  type MadeEndpoint,
} from './endpoint.js';
import { requireNoIdleDecorators, requireNothingAround } from './idle-decorators.js';

/**
 * All endpoints of the modules: a message is put onto its bus, another class is called on the instance of Nest.
 * Throws for decorators that Nest would apply and that have no effect here.
 */
export function madeEndpoints(nest: NestFastifyApplication): readonly MadeEndpoint[] {
  requireNothingAround(nest);
  return [...nest.get(ModulesContainer).values()]
    .flatMap(({ controllers }) => [...controllers.values()])
    .flatMap(({ metatype, instance }) => {
      const declared = declarationOf(metatype);
      if (declared === null || metatype === null) return [];
      const isMessage = isMessageClass(metatype);
      requireNoIdleDecorators(metatype, isMessage ? null : 'handle');
      return [{ declared, handle: isMessage ? sentOnBus(nest, metatype) : handleOf(instance) }];
    });
}

function sentOnBus(nest: NestFastifyApplication, message: AnyMessageClass): MadeEndpoint['handle'] {
  const bus = nest.get(message.prototype instanceof EndpointQuery ? QueryBus : CommandBus, { strict: false });
  return (request) => bus.execute(new message(request));
}
