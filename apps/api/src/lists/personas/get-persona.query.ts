import { personaNotFound } from '#lists/domain/personas/personas.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { idParam } from '#http/parameters.js';
import { personaKey, personas } from '#projections/lists/personas/personas.projection.js';
import { ownDocument } from '../../own-document.js';
import { handle } from '../../handle.js';
import { PersonaView, storedPersonaView, type PersonaAnswer } from './persona.view.js';

const params = { persona_id: idParam(404) };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/personas/:persona_id',
  summary: 'Get a persona',
  description: 'Archived ones as well.',
  params,
  response: DataOf(PersonaView),
  problems: [personaNotFound],
})
export class GetPersona extends EndpointQuery<DataOf<PersonaAnswer>, { params: typeof params }> {}

handle(GetPersona, async ({ workspaceId, params }, { readModels }) => {
  const wanted = {
    view: personas,
    key: personaKey(workspaceId, params.persona_id),
    unknown: personaNotFound,
  };
  return {
    data: storedPersonaView(await ownDocument(readModels, workspaceId, wanted)),
  };
});
