import { Inject } from '@nestjs/common';
import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { IsOptional } from 'class-validator';
import type { Clock } from '#kernel/ports/clock.js';
import type { Commands } from '#kernel/commands/commands.js';
import type { CommandContext } from '#kernel/commands/decider.js';
import type { Ids } from '#kernel/commands/ids.js';
import type { PersonaFacts } from '#lists/domain/personas/personas.events.js';
import { personaNotFound, personas, personaTagTaken } from '#lists/domain/personas/personas.js';
import { upsertPersona, wantedPersona, type WantedPersona } from '#lists/domain/personas/upsert-persona.js';
import { IsId } from '#http/body.js';
import { Endpoint, type EndpointRequest } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { reply, type Reply } from '#http/reply.js';
import { CLOCK, COMMANDS, IDS } from '../../ports.js';
import { PersonaBody, personaFactsOf } from './persona.body.js';
import { personaView, PersonaView, type PersonaAnswer } from './persona.view.js';

export class UpsertPersonaBody extends PersonaBody {
  @IsOptional()
  @IsId()
  persona_id?: number;
}

type Upserted = { readonly persona: PersonaAnswer; readonly created: boolean };

export class UpsertPersona extends Command<Upserted> {
  constructor(
    readonly workspaceId: number,
    readonly wanted: WantedPersona,
    readonly facts: Partial<PersonaFacts>,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@Endpoint({
  caller: 'apiKey',
  route: 'PUT /api/v3/personas',
  summary: 'Create or change a persona',
  description:
    'The persona of `persona_id`, else the one with the `tag`, else, without a tag, the oldest active one; ' +
    'created if there is none (201). Fields that are not sent do not change; null clears one.',
  body: UpsertPersonaBody,
  otherStatuses: [201],
  response: DataOf(PersonaView),
  problems: [personaNotFound, personaTagTaken],
})
export class UpsertPersonaEndpoint {
  constructor(private readonly commands: CommandBus) {}

  async handle(
    request: EndpointRequest<{ body: UpsertPersonaBody }>,
  ): Promise<Reply<{ readonly data: PersonaAnswer }>> {
    const { workspaceId, body, context } = request;
    const command = new UpsertPersona(workspaceId, wantedBy(body), personaFactsOf(body), context);
    const { persona, created } = await this.commands.execute(command);
    return reply({ data: persona }, { status: created ? 201 : 200 });
  }
}

function wantedBy({ persona_id, tag }: UpsertPersonaBody): WantedPersona {
  if (persona_id !== undefined) return { personaId: persona_id };
  return typeof tag === 'string' ? { tag } : { oldest: true };
}

@CommandHandler(UpsertPersona)
export class UpsertPersonaHandler implements ICommandHandler<UpsertPersona> {
  constructor(
    @Inject(COMMANDS) private readonly commands: Commands,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ workspaceId, wanted, facts, context }: UpsertPersona): Promise<Upserted> {
    const newPersonaId = await this.ids.next('persona');
    const decision = upsertPersona({ wanted, newPersonaId, facts, now: this.clock.now().toISOString() });
    const { answer } = await this.commands.handle(personas, String(workspaceId), decision, {
      context,
      answer: (state, events) => {
        const persona = wantedPersona(state, wanted);
        if (persona === undefined) throw new Error('an upsert ended without its persona');
        return {
          persona: personaView(persona),
          created: events.some(({ type }) => type === 'PersonaCreated'),
        };
      },
    });
    return answer;
  }
}
