import { Type as ClassType } from 'class-transformer';
import { IsNumber, IsOptional, Max, MaxLength, Min, ValidateNested } from 'class-validator';
import { MOST_CREDITS, parseCredits, toStored, type Credits } from '#kernel/values/credits.js';
import type { JsonObject } from '#kernel/values/json.js';
import { fieldError, refusal } from '#kernel/values/refusal.js';
import type { Commands } from '#kernel/commands/commands.js';
import { unknownAgent } from '#signals/domain/agents/agent.js';
import { alreadyRunning } from '#signals/domain/launches/launches.js';
import {
  launchTooLarge,
  noDetectionType,
  noDiscoveryPrice,
  noTargetAccounts,
  notDetectableYet,
} from '#signals/domain/launches/prepare-launch.js';
import { setupNotFound } from '#signals/domain/setups/signal-setup.js';
import { belowOnePrice } from '#signals/domain/launches/limit-facts.js';
import { DEFAULT_LOOKBACK_DAYS } from '#signals/launching/lookback.js';
import type { LaunchSource, SourceKey } from '#signals/launching/launch-source.js';
import { findLaunchSource } from '#signals/launching/launch-sources.js';
import { IsId, IsNotBlank, NeedsExactlyOneOf } from '#http/body.js';
import { IsLookbackDays } from '../lookback.body.js';

/** Several times the length of an id. */
const LONGEST_QUOTE = 2_000;

class RunParameters {
  @IsLookbackDays()
  lookback_days?: number;
}

@NeedsExactlyOneOf('agent_id', 'signal_setup_id')
export class QuoteSignalRunBody {
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

@NeedsExactlyOneOf('agent_id', 'signal_setup_id')
export class LaunchSignalRunBody extends QuoteSignalRunBody {
  @IsOptional()
  @IsNotBlank()
  @MaxLength(LONGEST_QUOTE)
  quote_id?: string;
}

const invalidMaxCredits = refusal({
  code: 'invalid-max-credits',
  kind: 'unacceptable',
  detail: 'The limit of the launch is no amount of credits.',
});

/** The refusals of a launch and of its quote, except those about the workspace and its credits. */
export const askedLaunchProblems = [
  unknownAgent,
  setupNotFound,
  noDetectionType,
  notDetectableYet,
  noTargetAccounts,
  noDiscoveryPrice,
  launchTooLarge,
  alreadyRunning,
  belowOnePrice,
  invalidMaxCredits,
];

/** The requested launch. */
export type AskedLaunch = {
  readonly key: SourceKey;
  /** null: there is no source with this id. */
  readonly source: LaunchSource | null;
  /** The refusal if there is no source. */
  readonly unknown: () => Error;
  readonly lookbackDays: number;
  readonly maxCredits: Credits | null;
  /** The body with its defaults; a quote is valid for this body. */
  readonly body: JsonObject;
};

/** Reads the body of a launch. Throws `invalidMaxCredits`. */
export async function askedLaunch(
  commands: Commands,
  workspaceId: number,
  body: QuoteSignalRunBody,
): Promise<AskedLaunch> {
  const { agent_id = null, signal_setup_id = null } = body;
  // Agents and setups share one id sequence.
  const key = { workspaceId, id: agent_id ?? signal_setup_id ?? 0 };
  const lookbackDays = body.parameters?.lookback_days ?? DEFAULT_LOOKBACK_DAYS;
  const maxCredits = maxCreditsOf(body);
  const found = await findLaunchSource(commands, key);
  return {
    key,
    // An agent cannot be named as a setup.
    source: signal_setup_id !== null && found?.kind !== 'setup' ? null : found,
    unknown: signal_setup_id === null ? unknownAgent : setupNotFound,
    lookbackDays,
    maxCredits,
    body: {
      agent_id,
      signal_setup_id,
      lookback_days: lookbackDays,
      max_credits: maxCredits === null ? null : toStored(maxCredits),
    },
  };
}

/** The limit of the launch, parsed exactly; null if there is none. */
function maxCreditsOf({ max_credits: sent }: QuoteSignalRunBody): Credits | null {
  if (sent === undefined) return null;
  const credits = parseCredits(sent);
  if (credits === null)
    throw invalidMaxCredits({ errors: fieldError('max_credits', 'must have at most six decimals') });
  return credits;
}
