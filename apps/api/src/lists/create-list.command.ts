import { IsOptional, MaxLength } from 'class-validator';
import { workspaceScoped } from '#kernel/commands/decider.js';
import { fieldError } from '#kernel/values/refusal.js';
import type { ListType } from '#lists/domain/lists/list.events.js';
import { canCarryTier, createList, invalidList, list, tierNotAllowed } from '#lists/domain/lists/list.js';
import { IsAnyJson, IsNotBlank } from '#http/body.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { handle } from '../handle.js';
import { requireActivePersonas } from './active-personas.js';
import { DEFAULT_TRACKING_STATUS, NewListBody } from './list.body.js';
import { decidedListView, ListView, type ListAnswer } from './list.view.js';

export class CreateListBody extends NewListBody {
  @IsNotBlank()
  @MaxLength(255)
  name: string;

  /** Checked by `readTier`: which tier is valid depends on the type. */
  @IsOptional()
  @IsAnyJson({ enum: [1, 2, 3, null], description: 'Only of customer and prospect lists' })
  tier?: unknown;
}

@Endpoint({
  caller: 'apiKey',
  route: 'POST /api/v2/lists',
  summary: 'Create a list',
  description: 'An empty list of companies or people. Only customer and prospect lists can carry a tier.',
  status: 201,
  body: CreateListBody,
  response: DataOf(ListView),
  problems: [tierNotAllowed, invalidList],
})
export class CreateList extends EndpointCommand<DataOf<ListAnswer>, { body: CreateListBody }> {}

export const listCreated = handle(CreateList, async ({ workspaceId, body, context }, ports) => {
  const listId = await ports.ids.next('list');
  const prepare = async () => {
    const tier = readTier(body.type, body.tier);
    const personaIds = body.persona_ids ?? [];
    await requireActivePersonas(ports.commands, workspaceId, personaIds);
    return createList({
      listId,
      type: body.type,
      name: body.name,
      description: body.description ?? null,
      defaultTrackingStatus: body.default_tracking_status ?? DEFAULT_TRACKING_STATUS,
      tier,
      personaIds,
      now: ports.clock.now().toISOString(),
    });
  };
  const stream = workspaceScoped(workspaceId, listId);
  const { answer } = await ports.commands.handle(
    list,
    stream,
    { prepare },
    { context, answer: decidedListView },
  );
  return { data: answer };
});

/** Null counts as not given; on a list that cannot carry a tier any value is refused as such (OP-43). */
function readTier(type: ListType, tier: unknown): number | null {
  if (tier === undefined || tier === null) return null;
  if (!canCarryTier(type)) {
    throw tierNotAllowed({ errors: fieldError('tier', 'is only for customer and prospect lists') });
  }
  if (tier === 1 || tier === 2 || tier === 3) return tier;
  throw invalidList({ errors: fieldError('tier', 'must be 1, 2 or 3') });
}
