import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Type } from 'class-transformer';
import { IsOptional, MaxLength, ValidateNested } from 'class-validator';
import type { Clock } from '#kernel/ports/clock.js';
import type { Commands } from '#kernel/commands/commands.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import type { Ids } from '#kernel/commands/ids.js';
import type { JsonObject } from '#kernel/values/json.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { unknownTemplate } from '#catalogue/domain/templates/template-facts.js';
import {
  personaForSetup,
  personaIncomplete,
  requireCompletePersona,
} from '#lists/domain/personas/persona-choice.js';
import {
  admitSetup,
  insufficientTopAccounts,
  invalidParameters,
  listNotAvailable,
  templateNotAvailable,
  type SetupListFacts,
} from '#signals/domain/setups/setup-admission.js';
import {
  createSignalSetup,
  listIdOf,
  requireSetup,
  signalSetup,
} from '#signals/domain/setups/signal-setup.js';
import { IsFreeObject, IsId, IsNotBlank, IsNullable, NeedsExactlyOneOf } from '#http/body.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { listKey, lists } from '#projections/lists/lists/lists.projection.js';
import { personas, type PersonaDocument } from '#projections/lists/personas/personas.projection.js';
import {
  signalTemplates,
  type SignalTemplateDocument,
} from '#projections/catalogue/signal-templates/signal-templates.projection.js';
import { belowOnePrice } from '#signals/domain/launches/limit-facts.js';
import { priceOfSetup } from '#signals/launching/price-of-one.js';
import type { TopAccounts } from '#signals/detection/top-accounts.port.js';
import { CLOCK, COMMANDS, IDS, READ_MODELS, TOP_ACCOUNTS } from '../../ports.js';
import { signalSetupView, SignalSetupView, type SignalSetupAnswer } from './signal-setup.view.js';
import { ScheduleBody, wantedSchedule } from '../schedule.body.js';
import { templateFacts } from './template-facts.js';

@NeedsExactlyOneOf('signal_template_id', 'signal_template_key')
export class CreateSignalSetupBody {
  @IsOptional()
  @IsId()
  signal_template_id?: number;

  @IsOptional()
  @IsNotBlank()
  @MaxLength(255)
  signal_template_key?: string;

  @IsOptional()
  @IsNotBlank()
  @MaxLength(255)
  name?: string;

  @IsOptional()
  @IsFreeObject()
  parameters?: JsonObject;

  @IsOptional()
  @IsNullable()
  @ValidateNested()
  @Type(() => ScheduleBody)
  schedule?: ScheduleBody | null;
}

type Created = { readonly data: SignalSetupAnswer };

@Endpoint({
  caller: 'apiKey',
  route: 'POST /api/v3/signal-setups',
  summary: 'Set up a signal',
  description:
    'Validates `parameters` against `setup.fields` of the template. The same template may be set up many ' +
    'times. The workspace pays nothing until a run finds signals. A POST to `/api/v2/workspace/signal-runs` ' +
    'with the id of the setup as `signal_setup_id` launches a run; a schedule launches one every week, ' +
    'which spends at most its `max_credits`.',
  status: 201,
  body: CreateSignalSetupBody,
  response: DataOf(SignalSetupView),
  problems: [
    unknownTemplate,
    templateNotAvailable,
    invalidParameters,
    listNotAvailable,
    personaIncomplete,
    insufficientTopAccounts,
    belowOnePrice,
  ],
})
export class CreateSignalSetup extends EndpointCommand<Created, { body: CreateSignalSetupBody }> {}

/** The choice is made from at most this many active personas. */
const MAX_PERSONAS = 1_000;

@CommandHandler(CreateSignalSetup)
export class CreateSignalSetupHandler implements ICommandHandler<CreateSignalSetup> {
  constructor(
    @Inject(COMMANDS) readonly commands: Commands,
    @Inject(READ_MODELS) readonly readModels: ReadModels,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(TOP_ACCOUNTS) private readonly topAccounts: TopAccounts,
  ) {}

  async execute({ request: { workspaceId, body, context } }: CreateSignalSetup): Promise<Created> {
    const setupId = await this.ids.next('agent');
    const { answer } = await this.commands.handle(
      signalSetup,
      workspaceScoped(workspaceId, setupId),
      { prepare: () => this.creation(workspaceId, setupId, body) },
      { context, answer: (state) => signalSetupView(requireSetup(state)) },
    );
    return { data: answer };
  }

  private async creation(workspaceId: number, setupId: number, body: CreateSignalSetupBody) {
    const parameters = body.parameters ?? {};
    const schedule = wantedSchedule(body.schedule);
    const [template, list, persona, foundAccounts] = await Promise.all([
      this.template(body),
      this.list(workspaceId, listIdOf(parameters)),
      this.persona(workspaceId),
      this.topAccounts.count(workspaceId),
    ]);
    const personaId = persona?.id ?? null;
    const admitted = admitSetup({
      template: template && templateFacts(template),
      parameters,
      list,
      personaId,
      requireCompletePersona: () => requireCompletePersona(persona),
      hasFoundTopAccount: foundAccounts > 0,
    });
    return createSignalSetup({
      setupId,
      template: admitted,
      name: body.name,
      parameters,
      personaId,
      schedule,
      price: template && (await priceOfSetup(this, workspaceId, template, schedule)),
      now: this.clock.now().toISOString(),
    });
  }

  private async template(body: CreateSignalSetupBody): Promise<SignalTemplateDocument | null> {
    const { signal_template_id: id, signal_template_key: key } = body;
    if (key === undefined) return this.readModels.get(signalTemplates, String(id));
    const [template] = await this.readModels.find(signalTemplates, { where: { key }, limit: 1 });
    if (template === undefined)
      throw unknownTemplate({ detail: 'There is no signal template with this key.' });
    return template;
  }

  private async list(workspaceId: number, listId: number | null): Promise<SetupListFacts | null> {
    if (listId === null) return null;
    const list = await this.readModels.get(lists, listKey(workspaceId, listId));
    if (list === null || list.deleted) return null;
    return { type: list.type, archived: list.archived, personaIds: list.persona_ids };
  }

  private async persona(workspaceId: number): Promise<PersonaDocument | null> {
    const oldestFirst = await this.readModels.find(personas, {
      where: { workspaceId, archived: false },
      sort: [
        ['createdAt', 'asc'],
        ['id', 'asc'],
      ],
      limit: MAX_PERSONAS,
    });
    return personaForSetup(oldestFirst);
  }
}
