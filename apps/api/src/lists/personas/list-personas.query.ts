import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { page, PageOf } from '#http/paging.js';
import { offsetPage } from '#http/parameters.js';
import { personas } from '#projections/lists/personas/personas.projection.js';
import { handle } from '../../handle.js';
import { findPage } from '../../find-page.js';
import { PersonaView, storedPersonaView, type PersonaAnswer } from './persona.view.js';

const query = { page: offsetPage({ invalid: 422 }) };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/personas',
  summary: 'List the active personas',
  description: 'By id. Without archived ones; these can be read one by one.',
  query,
  response: PageOf(PersonaView),
})
export class ListPersonas extends EndpointQuery<PageOf<PersonaAnswer>, { query: typeof query }> {}

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

handle(ListPersonas, async ({ workspaceId, query }, { readModels }) => {
  const { rows, total } = await findPage(
    readModels,
    personas,
    { where: { workspaceId, archived: false } },
    query.page,
  );
  return page(rows.map(storedPersonaView), total, query.page);
});
