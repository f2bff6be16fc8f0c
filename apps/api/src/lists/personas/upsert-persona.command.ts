import { IsOptional } from 'class-validator';
import type { CommandContext } from '#kernel/commands/decider.js';
import { personaNotFound, personas, personaTagTaken } from '#lists/domain/personas/personas.js';
import { upsertPersona, wantedPersona, type WantedPersona } from '#lists/domain/personas/upsert-persona.js';
import { IsId } from '#http/body.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { reply, type Reply } from '#http/reply.js';
import { handle } from '../../handle.js';
import type { ApiPorts } from '../../ports.js';
import { PersonaBody, personaFactsOf } from './persona.body.js';
import { personaView, PersonaView, type PersonaAnswer } from './persona.view.js';

export class UpsertPersonaBody extends PersonaBody {
  @IsOptional()
  @IsId()
  persona_id?: number;
}

type Upserted = { readonly persona: PersonaAnswer; readonly created: boolean };

@Endpoint({
  caller: 'apiKey',
  route: 'PUT /api/v3/personas',
  summary: 'Create or change a persona',
  description:
    'The persona of `persona_id`, else the one with the `tag`, else, without a tag, the oldest active one; ' +
    'created if there is none (201). Fields that are not sent do not change; null clears one.',
  body: UpsertPersonaBody,
  otherStatuses: [201],
  response: DataOf(PersonaView),
  problems: [personaNotFound, personaTagTaken],
})
export class UpsertPersona extends EndpointCommand<
  Reply<DataOf<PersonaAnswer>>,
  { body: UpsertPersonaBody }
> {}

handle(UpsertPersona, async ({ workspaceId, body, context }, ports) => {
  const { persona, created } = await upsert(ports, workspaceId, wantedBy(body), body, context);
  return reply({ data: persona }, { status: created ? 201 : 200 });
});

function wantedBy({ persona_id, tag }: UpsertPersonaBody): WantedPersona {
  if (persona_id !== undefined) return { personaId: persona_id };
  return typeof tag === 'string' ? { tag } : { oldest: true };
}

/** Changes the wanted persona, or creates it. */
export async function upsert(
  { commands, ids, clock }: ApiPorts,
  workspaceId: number,
  wanted: WantedPersona,
  body: PersonaBody,
  context: CommandContext,
): Promise<Upserted> {
  const facts = personaFactsOf(body);
  const newPersonaId = await ids.next('persona');
  const decision = upsertPersona({ wanted, newPersonaId, facts, now: clock.now().toISOString() });
  const { answer } = await commands.handle(personas, String(workspaceId), decision, {
    context,
    answer: (state, events) => {
      const persona = wantedPersona(state, wanted);
      if (persona === undefined) throw new Error('an upsert ended without its persona');
      return {
        persona: personaView(persona),
        created: events.some(({ type }) => type === 'PersonaCreated'),
      };
    },
  });
  return answer;
}
