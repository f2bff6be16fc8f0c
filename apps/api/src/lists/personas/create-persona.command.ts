import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Clock } from '#kernel/ports/clock.js';
import type { Commands } from '#kernel/commands/commands.js';
import type { Ids } from '#kernel/commands/ids.js';
import { createPersona, personas, personaTagTaken, requirePersona } from '#lists/domain/personas/personas.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { CLOCK, COMMANDS, IDS } from '../../ports.js';
import { PersonaBody, personaFactsOf } from './persona.body.js';
import { personaView, PersonaView, type PersonaAnswer } from './persona.view.js';

@Endpoint({
  caller: 'apiKey',
  route: 'POST /api/v2/personas',
  summary: 'Create a persona',
  description:
    'A persona is a business unit: the titles and places of its customers. Signals of top priority are ' +
    'about people who match a persona, and most signals need a persona with at least one `job_title` and ' +
    'one `location`. Every field may be left out; it is then null.',
  status: 201,
  body: PersonaBody,
  response: DataOf(PersonaView),
  problems: [personaTagTaken],
})
export class CreatePersona extends EndpointCommand<DataOf<PersonaAnswer>, { body: PersonaBody }> {}

@CommandHandler(CreatePersona)
export class CreatePersonaHandler implements ICommandHandler<CreatePersona> {
  constructor(
    @Inject(COMMANDS) private readonly commands: Commands,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ request: { workspaceId, context, body } }: CreatePersona): Promise<DataOf<PersonaAnswer>> {
    const facts = personaFactsOf(body);
    const personaId = await this.ids.next('persona');
    const decision = createPersona({ personaId, facts, now: this.clock.now().toISOString() });
    const { answer } = await this.commands.handle(personas, String(workspaceId), decision, {
      context,
      answer: (state) => personaView(requirePersona(state, personaId)),
    });
    return { data: answer };
  }
}
