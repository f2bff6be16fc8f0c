import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { personaNotFound } from '#lists/domain/personas/personas.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { idParam } from '#http/parameters.js';
import { personaKey, personas } from '#projections/lists/personas/personas.projection.js';
import { ownDocument } from '../../own-document.js';
import { READ_MODELS } from '../../ports.js';
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

@QueryHandler(GetPersona)
export class GetPersonaHandler implements IQueryHandler<GetPersona> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async execute({ request: { workspaceId, params } }: GetPersona): Promise<DataOf<PersonaAnswer>> {
    const wanted = {
      view: personas,
      key: personaKey(workspaceId, params.persona_id),
      unknown: personaNotFound,
    };
    return {
      data: storedPersonaView(await ownDocument(this.readModels, workspaceId, wanted)),
    };
  }
}
