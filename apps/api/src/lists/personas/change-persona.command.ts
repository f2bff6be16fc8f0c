import { IsBoolean, IsOptional } from 'class-validator';
import {
  changePersona,
  personaNotFound,
  personas,
  personaTagTaken,
  requirePersona,
} from '#lists/domain/personas/personas.js';
import { NeedsSomeField } from '#http/body.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { idParam } from '#http/parameters.js';
import { handle } from '../../handle.js';
import { PersonaBody, personaFactsOf } from './persona.body.js';
import { personaView, PersonaView, type PersonaAnswer } from './persona.view.js';

@NeedsSomeField('Send at least one field of the persona, or archived.')
export class ChangePersonaBody extends PersonaBody {
  @IsOptional()
  @IsBoolean()
  archived?: boolean;
}

const params = { persona_id: idParam(404) };

@Endpoint({
  caller: 'apiKey',
  route: 'PATCH /api/v2/personas/:persona_id',
  summary: 'Change a persona',
  description: 'Only the fields that are sent change; null clears one. `archived` archives or restores it.',
  params,
  body: ChangePersonaBody,
  response: DataOf(PersonaView),
  problems: [personaNotFound, personaTagTaken],
})
export class ChangePersona extends EndpointCommand<
  DataOf<PersonaAnswer>,
  { body: ChangePersonaBody; params: typeof params }
> {}

handle(ChangePersona, async ({ workspaceId, params: asked, body, context }, { clock, commands }) => {
  const personaId = asked.persona_id;
  const now = clock.now().toISOString();
  const { archived } = body;
  const decision = changePersona({ personaId, changes: personaFactsOf(body), archived, now });
  const { answer } = await commands.handle(personas, String(workspaceId), decision, {
    context,
    answer: (state) => personaView(requirePersona(state, personaId)),
  });
  return { data: answer };
});
