import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { IsOptional, MaxLength } from 'class-validator';
import type { Clock } from '#kernel/ports/clock.js';
import type { Commands } from '#kernel/commands/commands.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import {
  changeList,
  invalidList,
  list,
  listNotFound,
  requireList,
  requireKind,
} from '#lists/domain/lists/list.js';
import { IsNotBlank, NeedsSomeField } from '#http/body.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { CLOCK, COMMANDS, READ_MODELS } from '../ports.js';
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

@CommandHandler(ChangeList)
export class ChangeListHandler implements ICommandHandler<ChangeList> {
  constructor(
    @Inject(COMMANDS) private readonly commands: Commands,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ request: { workspaceId, params, body, context } }: ChangeList): Promise<Changed> {
    const { kind, list_id: listId } = params;
    const { commands, readModels } = this;
    const prepare = async () => {
      const stream = workspaceScoped(workspaceId, listId);
      await commands.load(list, stream, (state) => void requireList(requireKind(state, kind)));
      const personaIds = body.persona_ids === null ? [] : body.persona_ids;
      await requireActivePersonas(readModels, workspaceId, personaIds ?? []);
      return changeList({
        changes: {
          name: body.name,
          description: body.description,
          defaultTrackingStatus: body.default_tracking_status,
          personaIds,
        },
        archived: body.archived,
        now: this.clock.now().toISOString(),
      });
    };
    const about = { workspaceId, kind, listId, context };
    return { data: await decideList({ commands, readModels }, about, { prepare }) };
  }
}
