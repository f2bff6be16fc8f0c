import { Inject } from '@nestjs/common';
import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import type { Clock } from '#kernel/clock.js';
import type { Commands } from '#kernel/commands.js';
import { workspaceScoped, type CommandContext } from '#kernel/decider.js';
import type { Ids } from '#kernel/ids.js';
import type { ReadModels } from '#kernel/read-store.port.js';
import { OneOf, Id, Type } from '#kernel/schema.js';
import { agent, unknownAgent } from '#domain/agents/agent.js';
import { available } from '#domain/credits/books.js';
import {
  billingOf,
  creditAccount,
  insufficient,
  insufficientCredits,
} from '#domain/credits/credit-account.js';
import { resolvePrice, type PriceItem } from '#domain/prices/price-resolution.js';
import { alreadyRunning, launch } from '#domain/signal-launches/launches.js';
import type { PersonaFacts, RunLaunched } from '#domain/signal-launches/launch.events.js';
import {
  launchOf,
  noDiscoveryPrice,
  noTargetAccounts,
  notDetectableYet,
  requireLaunchable,
  type Launchable,
} from '#domain/signal-launches/prepare-launch.js';
import { signalSetup, type SetupConfiguration } from '#domain/signal-setups/signal-setup.js';
import { workspace, workspaceBlocked } from '#domain/workspaces/workspace.js';
import { Endpoint, type EndpointRequest } from '#http/endpoint.js';
import { IsId, Nested } from '#http/body.js';
import { partnerKey, partners, type PartnerDocument } from '#projections/partners/partners.projection.js';
import { personaKey, personas, type PersonaDocument } from '#projections/personas/personas.projection.js';
import {
  LIST_PRICES_KEY,
  listPrices,
  type ListPricesDocument,
} from '#projections/prices/prices.projection.js';
import {
  signalTemplates,
  type SignalTemplateDocument,
} from '#projections/signal-templates/signal-templates.projection.js';
import { CLOCK, COMMANDS, IDS, READ_MODELS } from '../ports.js';

const DEFAULT_LOOKBACK_DAYS = 90;
const MAX_LOOKBACK_DAYS = 180;

export class RunParameters {
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_LOOKBACK_DAYS)
  lookback_days?: number;
}

export class LaunchSignalRunBody {
  @IsId()
  agent_id: number;

  @IsOptional()
  @Nested(() => RunParameters)
  parameters?: RunParameters;
}

const LaunchedRuns = Type.Array(Type.Object({ signal_request_id: Id, stage: OneOf('running') }));
type LaunchedRuns = readonly { readonly signal_request_id: number; readonly stage: 'running' }[];

export class LaunchSignalRun extends Command<LaunchedRuns> {
  constructor(
    readonly workspaceId: number,
    readonly agentId: number,
    readonly lookbackDays: number,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@Endpoint({
  route: 'POST /api/v2/workspace/signal-runs',
  summary: 'Launch the runs of an agent or a signal setup',
  description:
    'Answers as soon as the runs are launched: one for keyword agents, one a direction for interaction agents. ' +
    'Poll `GET /api/v2/workspace/signal-runs/{id}` until the stage is no longer `running`.',
  status: 202,
  body: LaunchSignalRunBody,
  invalidBody: 400,
  response: LaunchedRuns,
  problems: [
    workspaceBlocked,
    unknownAgent,
    notDetectableYet,
    noTargetAccounts,
    noDiscoveryPrice,
    alreadyRunning,
    insufficientCredits,
  ],
})
export class LaunchSignalRunEndpoint {
  constructor(private readonly commands: CommandBus) {}

  handle({ workspaceId, body, context }: EndpointRequest<LaunchSignalRunBody>): Promise<LaunchedRuns> {
    const lookbackDays = body.parameters?.lookback_days ?? DEFAULT_LOOKBACK_DAYS;
    return this.commands.execute(new LaunchSignalRun(workspaceId, body.agent_id, lookbackDays, context));
  }
}

@CommandHandler(LaunchSignalRun)
export class LaunchSignalRunHandler implements ICommandHandler<LaunchSignalRun> {
  constructor(
    @Inject(COMMANDS) private readonly commands: Commands,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ workspaceId, agentId, lookbackDays, context }: LaunchSignalRun): Promise<LaunchedRuns> {
    if ((await this.commands.load(workspace, String(workspaceId))).blocked) throw workspaceBlocked();
    const { launchable, running } = await this.find(workspaceId, agentId);
    const stream = workspaceScoped(workspaceId, agentId);
    const { directions, source } = launchable;
    const options = { context, answer: (_: unknown, events: readonly Happened[]) => runsOf(events) };
    const done = await (source.kind === 'setup'
      ? this.commands.alreadyDone(signalSetup, stream, options)
      : this.commands.alreadyDone(agent, stream, options));
    if (done !== null) return done.answer;
    const unitPrice = requireLaunchable(launchable);
    if (running) throw alreadyRunning();
    await this.requireMoneyForOne(workspaceId, unitPrice);

    const runIds = await this.ids.nextMany('run', directions.length);
    const input = launchOf(launchable, unitPrice, {
      launchId: await this.ids.next('launch'),
      runIds,
      trigger: 'manual',
      now: this.clock.now().toISOString(),
      lookbackDays,
    });
    const { answer } = await (source.kind === 'setup'
      ? this.commands.handle(signalSetup, stream, launch(input), options)
      : this.commands.handle(agent, stream, launch(input), options));
    return answer;
  }

  /** What stands behind the id: agents and setups share one sequence. */
  private async find(
    workspaceId: number,
    id: number,
  ): Promise<{ readonly launchable: Launchable; readonly running: boolean }> {
    const stream = workspaceScoped(workspaceId, id);
    const [setup, known] = await Promise.all([
      this.commands.load(signalSetup, stream),
      this.commands.load(agent, stream),
    ]);
    if (setup.configuration !== null) {
      const launchable = await this.setupLaunchable(workspaceId, setup.configuration);
      return { launchable, running: setup.launches.running.length > 0 };
    }
    if (!known.exists) throw unknownAgent();
    const launchable: Launchable = {
      source: { kind: 'agent', id },
      detectorKind: 'keyword_post',
      signalTypes: ['keywordDetection'],
      directions: ['single'],
      parameters: known.parameters,
      templateKey: null,
      persona: null,
      scope: { kind: 'network' },
      unitPrice: await this.priceOf(workspaceId, `agent:${known.type}`),
    };
    return { launchable, running: known.launches.running.length > 0 };
  }

  private async setupLaunchable(workspaceId: number, setup: SetupConfiguration): Promise<Launchable> {
    const template = await this.readModels.get<SignalTemplateDocument>(
      signalTemplates,
      String(setup.templateId),
    );
    if (template === null)
      throw new Error(`setup ${setup.setupId} has template ${setup.templateId}, which is gone`);
    const { detector, scopes } = template.content;
    return {
      source: { kind: 'setup', id: setup.setupId },
      detectorKind: detector.kind,
      signalTypes: detector.signalTypes,
      directions: detector.runs,
      parameters: setup.parameters,
      templateKey: setup.templateKey,
      persona: detector.requiresPersona ? await this.personaFacts(workspaceId, setup.personaId) : null,
      scope: scopeOf(setup.listId, scopes),
      unitPrice: await this.priceOf(workspaceId, `discovery:${setup.templateKey}`),
    };
  }

  private async personaFacts(workspaceId: number, personaId: number | null): Promise<PersonaFacts | null> {
    if (personaId === null) return null;
    const persona = await this.readModels.get<PersonaDocument>(personas, personaKey(workspaceId, personaId));
    if (persona === null) return null;
    return {
      personaId,
      jobTitles: persona.job_title ?? [],
      excludeJobTitles: persona.exclude_job_title ?? [],
      locations: persona.location ?? [],
      seniorities: persona.seniority ?? [],
    };
  }

  private async priceOf(workspaceId: number, item: PriceItem) {
    const billing = billingOf(await this.commands.load(creditAccount, String(workspaceId)));
    const [list, partner] = await Promise.all([
      this.readModels.get<ListPricesDocument>(listPrices, LIST_PRICES_KEY),
      billing.mode === 'partner'
        ? this.readModels.get<PartnerDocument>(partners, partnerKey(billing.partnerId))
        : null,
    ]);
    return resolvePrice(list?.prices ?? {}, partner?.rates ?? null, item);
  }

  /** A launch needs the price of one signal, not of all that it may find (SUP-20). */
  private async requireMoneyForOne(workspaceId: number, unitPrice: bigint): Promise<void> {
    const account = await this.commands.load(creditAccount, String(workspaceId));
    if (billingOf(account).mode !== 'self' || unitPrice === 0n) return;
    if (available(account.books) < unitPrice) throw insufficient(account, unitPrice);
  }
}

type Happened = { readonly type: string; readonly data: object };

/** The runs of the launch among these events. */
function runsOf(events: readonly Happened[]): LaunchedRuns {
  return events
    .filter((event): event is Happened & { readonly data: RunLaunched } => event.type === 'RunLaunched')
    .flatMap(({ data }) => data.runs)
    .map(({ runId }) => ({ signal_request_id: runId, stage: 'running' }));
}

/**
 * A signal about the members of a list, or about monitored accounts alone, looks at nobody else; this version
 * follows no members and monitors no account, so there is nobody to look at.
 */
function scopeOf(listId: number | null, scopes: readonly string[]): Launchable['scope'] {
  const wholeNetwork = listId === null && scopes.includes('discovery');
  return wholeNetwork ? { kind: 'network' } : { kind: 'accounts', count: 0 };
}
