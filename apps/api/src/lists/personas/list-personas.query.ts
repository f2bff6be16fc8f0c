import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Filter, ReadModels } from '#kernel/ports/read-store.port.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { page, PageOf, type OffsetPage } from '#http/paging.js';
import { offsetPage } from '#http/parameters.js';
import type { Reply } from '#http/reply.js';
import { personas } from '#projections/lists/personas/personas.projection.js';
import { READ_MODELS } from '../../ports.js';
import { PersonaView, storedPersonaView, type PersonaAnswer } from './persona.view.js';

type Page = Reply<OffsetPage<PersonaAnswer>>;

const query = { page: offsetPage({ invalid: 422 }) };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/personas',
  summary: 'List the active personas',
  description: 'By id. Without archived ones; these can be read one by one.',
  query,
  response: PageOf(PersonaView),
})
export class ListPersonas extends EndpointQuery<Page, { query: typeof query }> {}

const queryV3 = { page: offsetPage({ invalid: 400 }) };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v3/personas',
  summary: 'List the active personas',
  description:
    'By id. Without archived ones; read these one by one with `GET /api/v2/personas/{persona_id}`.',
  query: queryV3,
  response: PageOf(PersonaView),
})
export class ListPersonasV3 extends ListPersonas {}

@QueryHandler(ListPersonas)
export class ListPersonasHandler implements IQueryHandler<ListPersonas> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async execute({
    request: {
      workspaceId,
      query: { page: asked },
    },
  }: ListPersonas): Promise<Page> {
    const active: Filter = { where: { workspaceId, archived: false } };
    const [found, total] = await Promise.all([
      this.readModels.find(personas, {
        ...active,
        sort: [['id', 'asc']],
        skip: asked.skip,
        limit: asked.pageSize,
      }),
      this.readModels.count(personas, active),
    ]);
    return page(found.map(storedPersonaView), total, asked);
  }
}
