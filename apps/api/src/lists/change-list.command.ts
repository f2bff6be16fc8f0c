import { IsOptional, MaxLength } from 'class-validator';
import { workspaceScoped } from '#kernel/commands/decider.js';
import {
  changeList,
  invalidList,
  list,
  listNotFound,
  requireList,
  requireKind,
  type ChangeListInput,
} from '#lists/domain/lists/list.js';
import { IsNotBlank, NeedsSomeField } from '#http/body.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { handle } from '../handle.js';
import { requireActivePersonas } from './active-personas.js';
import { decideList } from './decide-list.js';
import { ListChangeBody, somethingOf } from './list.body.js';
import { listPath } from './list-path.js';
import { ListView, type ListAnswer } from './list.view.js';

@NeedsSomeField(somethingOf('name'))
export class ChangeListBody extends ListChangeBody {
  @IsOptional()
  @IsNotBlank()
  @MaxLength(255)
  name?: string;
}

/** The change of a list that a body requests. */
export const wantedChange = (body: ChangeListBody, now: Date): ChangeListInput => ({
  changes: {
    name: body.name,
    description: body.description,
    defaultTrackingStatus: body.default_tracking_status,
    personaIds: body.persona_ids === null ? [] : body.persona_ids,
  },
  archived: body.archived,
  now: now.toISOString(),
});

type Changed = { readonly data: ListAnswer };

@Endpoint({
  caller: 'apiKey',
  route: 'PUT /api/v2/lists/:kind/:list_id',
  summary: 'Change a list',
  description:
    'Only the fields that are sent change. Type and tier cannot be changed. The employee list stays active.',
  params: listPath,
  body: ChangeListBody,
  response: DataOf(ListView),
  problems: [listNotFound, invalidList],
})
export class ChangeList extends EndpointCommand<Changed, { body: ChangeListBody; params: typeof listPath }> {}

export const listChanged = handle(ChangeList, async ({ workspaceId, params, body, context }, ports) => {
  const { commands } = ports;
  const { kind, list_id: listId } = params;
  const prepare = async () => {
    const stream = workspaceScoped(workspaceId, listId);
    await commands.load(list, stream, (state) => void requireList(requireKind(state, kind)));
    await requireActivePersonas(commands, workspaceId, body.persona_ids ?? []);
    return changeList(wantedChange(body, ports.clock.now()));
  };
  const about = { workspaceId, kind, listId, context };
  return { data: await decideList(ports, about, { prepare }) };
});
