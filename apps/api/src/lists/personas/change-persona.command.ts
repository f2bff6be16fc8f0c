import { Inject } from '@nestjs/common';
import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { IsBoolean, IsOptional } from 'class-validator';
import type { Clock } from '#kernel/ports/clock.js';
import type { Commands } from '#kernel/commands/commands.js';
import type { CommandContext } from '#kernel/commands/decider.js';
import type { PersonaFacts } from '#lists/domain/personas/personas.events.js';
import {
  changePersona,
  personaNotFound,
  personas,
  personaTagTaken,
  requirePersona,
} from '#lists/domain/personas/personas.js';
import { NeedsSomeField } from '#http/body.js';
import { Endpoint, type EndpointRequest, type NoParameters } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { idParam } from '#http/parameters.js';
import { CLOCK, COMMANDS } from '../../ports.js';
import { PersonaBody, personaFactsOf } from './persona.body.js';
import { personaView, PersonaView, type PersonaAnswer } from './persona.view.js';

@NeedsSomeField('Send at least one field of the persona, or archived.')
export class ChangePersonaBody extends PersonaBody {
  @IsOptional()
  @IsBoolean()
  archived?: boolean;
}

type Changed = { readonly data: PersonaAnswer };

export class ChangePersona extends Command<Changed> {
  constructor(
    readonly workspaceId: number,
    readonly personaId: number,
    readonly changes: Partial<PersonaFacts>,
    readonly archived: boolean | undefined,
    readonly context: CommandContext,
  ) {
    super();
  }
}

const params = { persona_id: idParam(404) };

@Endpoint({
  caller: 'apiKey',
  route: 'PATCH /api/v2/personas/:persona_id',
  summary: 'Change a persona',
  description:
    'Only the fields that are sent change; null clears one. `archived` archives it or brings it back.',
  params,
  body: ChangePersonaBody,
  response: DataOf(PersonaView),
  problems: [personaNotFound, personaTagTaken],
})
export class ChangePersonaEndpoint {
  constructor(private readonly commands: CommandBus) {}

  handle(request: EndpointRequest<ChangePersonaBody, NoParameters, typeof params>): Promise<Changed> {
    const { workspaceId, params: asked, body, context } = request;
    const { persona_id: personaId } = asked;
    const changes = personaFactsOf(body);
    return this.commands.execute(new ChangePersona(workspaceId, personaId, changes, body.archived, context));
  }
}

@CommandHandler(ChangePersona)
export class ChangePersonaHandler implements ICommandHandler<ChangePersona> {
  constructor(
    @Inject(COMMANDS) private readonly commands: Commands,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ workspaceId, personaId, changes, archived, context }: ChangePersona): Promise<Changed> {
    const now = this.clock.now().toISOString();
    const decision = changePersona({ personaId, changes, archived, now });
    const { answer } = await this.commands.handle(personas, String(workspaceId), decision, {
      context,
      answer: (state) => personaView(personaId, requirePersona(state, personaId).facts),
    });
    return { data: answer };
  }
}
