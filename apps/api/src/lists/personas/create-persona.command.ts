import { createPersona, personas, personaTagTaken, requirePersona } from '#lists/domain/personas/personas.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { handle } from '../../handle.js';
import { PersonaBody, personaFactsOf } from './persona.body.js';
import { personaView, PersonaView, type PersonaAnswer } from './persona.view.js';

@Endpoint({
  caller: 'apiKey',
  route: 'POST /api/v2/personas',
  summary: 'Create a persona',
  description:
    'A persona is a business unit: the titles and places of its customers. Signals of top priority are ' +
    'about people who match a persona, and most signals need a persona with at least one `job_title` and ' +
    'one `location`. Every field may be left out; it is then null.',
  status: 201,
  body: PersonaBody,
  response: DataOf(PersonaView),
  problems: [personaTagTaken],
})
export class CreatePersona extends EndpointCommand<DataOf<PersonaAnswer>, { body: PersonaBody }> {}

handle(CreatePersona, async ({ workspaceId, context, body }, { ids, clock, commands }) => {
  const facts = personaFactsOf(body);
  const personaId = await ids.next('persona');
  const decision = createPersona({ personaId, facts, now: clock.now().toISOString() });
  const { answer } = await commands.handle(personas, String(workspaceId), decision, {
    context,
    answer: (state) => personaView(requirePersona(state, personaId)),
  });
  return { data: answer };
});
