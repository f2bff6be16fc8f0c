import { refusal } from '#kernel/values/refusal.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { personas } from '#projections/lists/personas/personas.projection.js';
import { handle } from '../../handle.js';
import { PersonaView, storedPersonaView, type PersonaAnswer } from './persona.view.js';

const noActivePersona = refusal({
  code: 'no-active-persona',
  kind: 'missing',
  detail: 'The workspace has no active persona.',
});

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/persona',
  summary: 'Get the oldest active persona',
  description: 'From the time when a workspace had one persona.',
  deprecated: { successor: '/api/v2/personas' },
  response: DataOf(PersonaView),
  problems: [noActivePersona],
})
export class GetOldestPersona extends EndpointQuery<DataOf<PersonaAnswer>> {}

handle(GetOldestPersona, async ({ workspaceId }, { readModels }) => {
  const [oldest] = await readModels.find(personas, {
    where: { workspaceId, archived: false },
    sort: [
      ['createdAt', 'asc'],
      ['id', 'asc'],
    ],
    limit: 1,
  });
  if (oldest === undefined) throw noActivePersona();
  return { data: storedPersonaView(oldest) };
});
