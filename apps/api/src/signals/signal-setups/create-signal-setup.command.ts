import { Type } from 'class-transformer';
import { IsOptional, MaxLength, ValidateNested } from 'class-validator';
import { workspaceScoped } from '#kernel/commands/decider.js';
import type { JsonObject } from '#kernel/values/json.js';
import { unknownTemplate } from '#catalogue/domain/templates/template-facts.js';
import {
  personaForSetup,
  personaIncomplete,
  requireCompletePersona,
} from '#lists/domain/personas/persona-choice.js';
import { activePersonas, personas, type Persona } from '#lists/domain/personas/personas.js';
import { knownList } from '#lists/known-lists.js';
import {
  admitSetup,
  insufficientTopAccounts,
  invalidParameters,
  listNotAvailable,
  templateNotAvailable,
} from '#signals/domain/setups/setup-admission.js';
import {
  createSignalSetup,
  listIdOf,
  requireSetup,
  signalSetup,
} from '#signals/domain/setups/signal-setup.js';
import {
  ChecksTextLater,
  IsFreeObject,
  IsId,
  IsNotBlank,
  IsNullable,
  NeedsExactlyOneOf,
} from '#http/body.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import {
  signalTemplates,
  type SignalTemplateDocument,
} from '#projections/catalogue/signal-templates/signal-templates.projection.js';
import { belowOnePrice } from '#signals/domain/launches/limit-facts.js';
import { priceOfSetup } from '#signals/launching/price-of-one.js';
import { handle } from '../../handle.js';
import type { ApiPorts } from '../../ports.js';
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
  @ChecksTextLater()
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

handle(CreateSignalSetup, async ({ workspaceId, body, context }, ports) => {
  const setupId = await ports.ids.next('agent');
  const { answer } = await ports.commands.handle(
    signalSetup,
    workspaceScoped(workspaceId, setupId),
    { prepare: () => creation(ports, workspaceId, setupId, body) },
    { context, answer: (state) => signalSetupView(requireSetup(state)) },
  );
  return { data: answer };
});

async function creation(ports: ApiPorts, workspaceId: number, setupId: number, body: CreateSignalSetupBody) {
  const parameters = body.parameters ?? {};
  const schedule = wantedSchedule(body.schedule);
  const [template, list, persona, foundAccounts] = await Promise.all([
    wantedTemplate(ports, body),
    knownList(ports, workspaceId, listIdOf(parameters)),
    defaultPersona(ports, workspaceId),
    ports.topAccounts.count(workspaceId),
  ]);
  const personaId = persona?.personaId ?? null;
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
    price: template && (await priceOfSetup(ports, workspaceId, template, schedule)),
    now: ports.clock.now().toISOString(),
  });
}

async function wantedTemplate(
  { readModels }: ApiPorts,
  body: CreateSignalSetupBody,
): Promise<SignalTemplateDocument | null> {
  const { signal_template_id: id, signal_template_key: key } = body;
  if (key === undefined) return readModels.get(signalTemplates, String(id));
  const [template] = await readModels.find(signalTemplates, { where: { key }, limit: 1 });
  if (template === undefined) throw unknownTemplate({ detail: 'There is no signal template with this key.' });
  return template;
}

/** By their stream: a read model may be late. */
const defaultPersona = ({ commands }: ApiPorts, workspaceId: number): Promise<Persona | null> =>
  commands.load(personas, String(workspaceId), (state) => personaForSetup(activePersonas(state)));
