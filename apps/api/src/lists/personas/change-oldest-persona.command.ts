import { CommandBus } from '@nestjs/cqrs';
import { personaTagTaken } from '#lists/domain/personas/personas.js';
import { NeedsSomeField } from '#http/body.js';
import { Endpoint, type EndpointRequest } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { PersonaBody, personaFactsOf } from './persona.body.js';
import { PersonaView, type PersonaAnswer } from './persona.view.js';
import { UpsertPersona } from './upsert-persona.command.js';

@NeedsSomeField('Send at least one field of the persona.')
export class ChangeOldestPersonaBody extends PersonaBody {}

@Endpoint({
  caller: 'apiKey',
  route: 'PUT /api/v2/persona',
  summary: 'Change the oldest active persona',
  description:
    'From the time when a workspace had one persona. Only the fields that are sent change; null clears one. ' +
    'If there is no active persona, one is created.',
  deprecated: { successor: '/api/v2/personas' },
  body: ChangeOldestPersonaBody,
  response: DataOf(PersonaView),
  problems: [personaTagTaken],
})
export class ChangeOldestPersonaEndpoint {
  constructor(private readonly commands: CommandBus) {}

  async handle(
    request: EndpointRequest<{ body: ChangeOldestPersonaBody }>,
  ): Promise<{ readonly data: PersonaAnswer }> {
    const { workspaceId, body, context } = request;
    const facts = personaFactsOf(body);
    const command = new UpsertPersona(workspaceId, { oldest: true }, facts, context);
    const { persona } = await this.commands.execute(command);
    return { data: persona };
  }
}
