import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Type as ClassType } from 'class-transformer';
import { IsInt, IsNumber, IsOptional, Max, Min, ValidateNested } from 'class-validator';
import type { Clock } from '#kernel/ports/clock.js';
import type { Commands } from '#kernel/commands/commands.js';
import type { Ids } from '#kernel/commands/ids.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { parseCredits, type Credits } from '#kernel/values/credits.js';
import { fieldError, refusal } from '#kernel/values/refusal.js';
import { OneOf, Id, Type } from '#kernel/values/schema.js';
import type { Coverage } from '#signals/detection/coverage.port.js';
import type { TopAccounts } from '#signals/detection/top-accounts.port.js';
import { launchProblems, prepareLaunch } from '#signals/launching/launch.js';
import { findLaunchSource } from '#signals/launching/launch-sources.js';
import { DEFAULT_LOOKBACK_DAYS, MAX_LOOKBACK_DAYS } from '#signals/launching/lookback.js';
import { unknownAgent } from '#signals/domain/agents/agent.js';
import { alreadyRunning } from '#signals/domain/launches/launches.js';
import {
  belowOnePrice,
  noDetectionType,
  noDiscoveryPrice,
  noTargetAccounts,
  notDetectableYet,
} from '#signals/domain/launches/prepare-launch.js';
import { creditHeaders } from '#http/credit-headers.js';
import { Endpoint, type EndpointRequest } from '#http/endpoint.js';
import { EndpointCommand } from '#http/endpoint-message.js';
import { reply, type Reply } from '#http/reply.js';
import { DefaultsTo, IsId, NeedsExactlyOneOf } from '#http/body.js';
import type { NetworkDirectory } from '#network/network-directory.port.js';
import { creditsLeft } from '../../ledger/credits-left.js';
import { CLOCK, COMMANDS, COVERAGE, IDS, NETWORK_DIRECTORY, READ_MODELS, TOP_ACCOUNTS } from '../../ports.js';

const MOST_CREDITS = 1_000_000_000;

export class RunParameters {
  @IsOptional()
  @DefaultsTo(DEFAULT_LOOKBACK_DAYS)
  @IsInt()
  @Min(1)
  @Max(MAX_LOOKBACK_DAYS)
  lookback_days?: number;
}

@NeedsExactlyOneOf('agent_id', 'signal_setup_id')
export class LaunchSignalRunBody {
  @IsOptional()
  @IsId()
  agent_id?: number;

  @IsOptional()
  @IsId()
  signal_setup_id?: number;

  @IsOptional()
  @ValidateNested()
  @ClassType(() => RunParameters)
  parameters?: RunParameters;

  @IsOptional()
  @IsNumber({ allowNaN: false, allowInfinity: false })
  @Min(0)
  @Max(MOST_CREDITS)
  max_credits?: number;
}

const invalidMaxCredits = refusal({
  code: 'invalid-max-credits',
  kind: 'unacceptable',
  detail: 'The limit of the launch is no amount of credits.',
});

/** The limit of a launch, read exactly; null where there is none. */
function maxCreditsOf({ max_credits: sent }: LaunchSignalRunBody): Credits | null {
  if (sent === undefined) return null;
  const credits = parseCredits(sent);
  if (credits === null)
    throw invalidMaxCredits({ errors: fieldError('max_credits', 'must have at most six decimals') });
  return credits;
}

const LaunchedRuns = Type.Array(
  Type.Object({ signal_request_id: Id, stage: OneOf('running') }, { title: 'LaunchedRun' }),
);
type LaunchedRuns = Reply<readonly { readonly signal_request_id: number; readonly stage: 'running' }[]>;

@Endpoint({
  caller: 'apiKey',
  route: 'POST /api/v2/workspace/signal-runs',
  summary: 'Launch the runs of an agent or a signal setup',
  description:
    'Names an agent (`agent_id`, which a setup goes by as well) or a setup (`signal_setup_id`). ' +
    'Answers as soon as the runs are launched: one for keyword agents, one a direction for interaction agents. ' +
    'Poll `GET /api/v2/workspace/signal-runs/{id}` until the stage is no longer `running`. What has a price is charged ' +
    'as it is found, never beyond the balance, a cap or `max_credits`, which all runs of the launch share.',
  status: 202,
  body: LaunchSignalRunBody,
  invalidBody: 400,
  response: LaunchedRuns,
  tellsCredits: 'remaining',
  problems: [
    ...launchProblems,
    unknownAgent,
    noDetectionType,
    notDetectableYet,
    noTargetAccounts,
    noDiscoveryPrice,
    alreadyRunning,
    belowOnePrice,
    invalidMaxCredits,
  ],
})
export class LaunchSignalRun extends EndpointCommand<EndpointRequest<LaunchSignalRunBody>, LaunchedRuns> {}

@CommandHandler(LaunchSignalRun)
export class LaunchSignalRunHandler implements ICommandHandler<LaunchSignalRun> {
  constructor(
    @Inject(COMMANDS) readonly commands: Commands,
    @Inject(READ_MODELS) readonly readModels: ReadModels,
    @Inject(IDS) readonly ids: Ids,
    @Inject(CLOCK) readonly clock: Clock,
    @Inject(COVERAGE) readonly coverage: Coverage,
    @Inject(TOP_ACCOUNTS) readonly topAccounts: TopAccounts,
    @Inject(NETWORK_DIRECTORY) readonly directory: NetworkDirectory,
  ) {}

  async execute({ request: { workspaceId, body, context } }: LaunchSignalRun): Promise<LaunchedRuns> {
    const { agent_id, signal_setup_id } = body;
    // Agents and setups share one sequence of ids.
    const key = { workspaceId, id: agent_id ?? signal_setup_id ?? 0 };
    const lookbackDays = body.parameters?.lookback_days ?? DEFAULT_LOOKBACK_DAYS;
    const found = await findLaunchSource(this.commands, key);
    // An agent has no name among the setups.
    const source = signal_setup_id !== undefined && found?.kind !== 'setup' ? null : found;
    const asked = { ...key, trigger: 'manual', lookbackDays, maxCredits: maxCreditsOf(body) } as const;
    const prepare = () => prepareLaunch(this, source, asked, context);
    const runs =
      source === null ? (await prepare()).runs : await source.launch(this.commands, key, prepare, context);
    const remaining = await creditsLeft(this.commands, workspaceId);
    return reply(
      runs.map(({ runId }) => ({ signal_request_id: runId, stage: 'running' as const })),
      { headers: creditHeaders({ remaining }) },
    );
  }
}
