import { IsOptional } from 'class-validator';
import { workspaceScoped } from '#kernel/commands/decider.js';
import { invalidParameters } from '#signals/domain/setups/setup-admission.js';
import {
  changeSignalSetup,
  listCannotBeChanged,
  requireSetup,
  setupNotFound,
  signalSetup,
} from '#signals/domain/setups/signal-setup.js';
import { ChecksTextLater, IsAnyJson, NeedsSomeField } from '#http/body.js';
import { readLater } from '#http/body-reader.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { idParam } from '#http/parameters.js';
import {
  signalTemplates,
  type SignalTemplateDocument,
} from '#projections/catalogue/signal-templates/signal-templates.projection.js';
import { belowOnePrice } from '#signals/domain/launches/limit-facts.js';
import { priceOfSetup } from '#signals/launching/price-of-one.js';
import { handle } from '../../handle.js';
import type { ApiPorts } from '../../ports.js';
import { readSetupPatch, SETUP_PATCH_FIELDS, type SentSetupPatch } from './setup-patch.js';
import { signalSetupView, SignalSetupView, type SignalSetupAnswer } from './signal-setup.view.js';

/** Checked by `readSetupPatch` after the setup is looked up, so that an unknown id is refused first (OP-01). */
@NeedsSomeField('Send at least one of name, enabled, parameters and schedule.')
export class ChangeSignalSetupBody implements SentSetupPatch {
  @IsOptional()
  @IsAnyJson(SETUP_PATCH_FIELDS.name)
  name?: unknown;

  @IsOptional()
  @IsAnyJson(SETUP_PATCH_FIELDS.enabled)
  enabled?: unknown;

  @IsOptional()
  @IsAnyJson(SETUP_PATCH_FIELDS.parameters)
  @ChecksTextLater()
  parameters?: unknown;

  @IsOptional()
  @IsAnyJson(SETUP_PATCH_FIELDS.schedule)
  schedule?: unknown;
}

const params = { id: idParam(400) };

@Endpoint({
  caller: 'apiKey',
  route: 'PATCH /api/v3/signal-setups/:id',
  summary: 'Change a signal setup',
  description:
    'Any of `name`, `enabled`, `parameters` and `schedule`. Parameters are merged key by key, null removes ' +
    'one; the result is validated as on creation, and an invalid one changes nothing. The list cannot be ' +
    'changed. A schedule without `max_credits` keeps its limit, null removes it.',
  params,
  body: readLater(ChangeSignalSetupBody),
  response: DataOf(SignalSetupView),
  problems: [setupNotFound, listCannotBeChanged, invalidParameters, belowOnePrice],
})
export class ChangeSignalSetup extends EndpointCommand<
  DataOf<SignalSetupAnswer>,
  { body: () => ChangeSignalSetupBody; params: typeof params }
> {}

handle(ChangeSignalSetup, async ({ workspaceId, params, body: sent, context }, ports) => {
  const stream = workspaceScoped(workspaceId, params.id);
  const prepare = async () => {
    const templateId = await ports.commands.load(
      signalSetup,
      stream,
      (state) => requireSetup(state).templateId,
    );
    const patch = readSetupPatch(sent());
    const template = await templateOf(ports, templateId);
    const price = await priceOfSetup(ports, workspaceId, template, patch.schedule ?? null);
    const { fields } = template.content;
    return changeSignalSetup({ patch, fields, price, now: ports.clock.now().toISOString() });
  };
  const { answer } = await ports.commands.handle(
    signalSetup,
    stream,
    { prepare },
    { context, answer: (state) => signalSetupView(requireSetup(state)) },
  );
  return { data: answer };
});

async function templateOf({ readModels }: ApiPorts, templateId: number): Promise<SignalTemplateDocument> {
  const key = String(templateId);
  const template = await readModels.get(signalTemplates, key);
  if (template === null) throw new Error(`a setup has template ${templateId}, which is gone`);
  return template;
}
