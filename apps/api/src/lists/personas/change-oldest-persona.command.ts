import { personaTagTaken } from '#lists/domain/personas/personas.js';
import { NeedsSomeField } from '#http/body.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { handle } from '../../handle.js';
import { PersonaBody } from './persona.body.js';
import { PersonaView, type PersonaAnswer } from './persona.view.js';
import { upsert } from './upsert-persona.command.js';

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
export class ChangeOldestPersona extends EndpointCommand<
  DataOf<PersonaAnswer>,
  { body: ChangeOldestPersonaBody }
> {}

handle(ChangeOldestPersona, async ({ workspaceId, body, context }, ports) => {
  const { persona } = await upsert(ports, workspaceId, { oldest: true }, body, context);
  return { data: persona };
});
