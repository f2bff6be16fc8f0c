import { toJsonNumber, toStored, type Credits } from '#kernel/values/credits.js';
import type { JsonObject } from '#kernel/values/json.js';
import { fieldError, refusal } from '#kernel/values/refusal.js';
import { belowOnePrice, belowPriceFault } from './limit-facts.js';
import type { Audience, Direction, LaunchScope, LaunchPersona, RunLaunched } from './launch.events.js';

export const noDetectionType = refusal({
  code: 'no-detection-type',
  kind: 'unacceptable',
  detail: 'The agent has no detection type: bind it to a list first.',
});

export const notDetectableYet = refusal({
  code: 'not-detectable-yet',
  kind: 'unacceptable',
  detail: 'This kind of signal cannot be run yet.',
});

export const noDiscoveryPrice = refusal({
  code: 'no-discovery-price',
  kind: 'unacceptable',
  detail: 'This signal has no price for discovery yet.',
});

export const noTargetAccounts = refusal({
  code: 'no-target-accounts',
  kind: 'unacceptable',
  detail: 'There are no target accounts configured.',
});

export const launchTooLarge = refusal({
  code: 'launch-too-large',
  kind: 'unacceptable',
  detail:
    'The parameters, with the persona or the titles that are looked for, are too long to be recorded with a launch: shorten them.',
});

/** The price of one signal, and its product name in usage (OP-23). */
export type SignalCharge = { readonly credits: Credits; readonly product: string };

/** What a launch of a setup or agent is made of. */
export type Launchable = {
  readonly source: RunLaunched['source'];
  /** Name of the detector; null if this version has none for it. */
  readonly detectorKind: string | null;
  /** Empty for a source without a detection type. */
  readonly signalTypes: readonly string[];
  readonly directions: readonly Direction[];
  readonly parameters: JsonObject;
  readonly templateKey: string | null;
  /** Ranks the signals; null if all have top priority. */
  readonly persona: LaunchPersona | null;
  readonly coveredFor: number | null;
  readonly targetTitles: readonly string[] | null;
  readonly audiences: readonly Audience[];
  /** For a launch about a list: the current list. */
  readonly scope: LaunchScope | null;
  /**
   * What is missing, and which endpoint adds it, if the launch is about accounts or members and the workspace has
   * none (OP-36, OP-48); null if nothing is missing.
   */
  readonly missingTargets: string | null;
  /** The charge of one signal; null: no price yet, which is not the same as free. */
  readonly charge: SignalCharge | null;
};

/** A source that can be launched. */
export type Ready = Launchable & { readonly detectorKind: string; readonly charge: SignalCharge };

/**
 * Checks that the limit of a launch covers one signal (QUO-02). Throws `belowOnePrice` for the field of the limit.
 */
export function requireOnePrice(
  { charge }: Ready,
  maxCredits: Credits | null,
  field: 'max_credits' | 'quote_id' = 'max_credits',
): void {
  const fault = belowPriceFault(maxCredits, charge.credits);
  if (maxCredits === null || fault === null) return;
  const price = toJsonNumber(charge.credits);
  const ofQuote = `allows ${toJsonNumber(maxCredits)} credits, which is less than the price of one signal: ${price}`;
  throw belowOnePrice({ errors: fieldError(field, field === 'max_credits' ? fault : ofQuote) });
}

/** Checks that the source can be launched (OP-36, OP-18). Throws the refusal. */
export function requireLaunchable(launchable: Launchable): Ready {
  const { signalTypes, detectorKind, missingTargets, charge } = launchable;
  if (signalTypes.length === 0) throw noDetectionType();
  if (detectorKind === null) throw notDetectableYet();
  if (missingTargets !== null)
    throw noTargetAccounts({ detail: `${noTargetAccounts.detail} ${missingTargets}` });
  if (charge === null) throw noDiscoveryPrice();
  return { ...launchable, detectorKind, charge };
}

export type LaunchFacts = {
  readonly launchId: number;
  /** One per direction. */
  readonly runIds: readonly number[];
  readonly trigger: RunLaunched['trigger'];
  readonly now: string;
  readonly lookbackDays: number;
  /** The limit over all runs; null: only balance and caps limit them. */
  readonly maxCredits: Credits | null;
  /** The quote that approved it; absent if there is none. */
  readonly quote?: RunLaunched['quote'];
};

/** A launch without its runs and its limit. */
export type Unlaunched = Omit<RunLaunched, 'launchId' | 'runs' | 'maxCredits' | 'quote'>;

/** The launch of these facts, without runs. */
export function unlaunched(
  ready: Ready,
  facts: Pick<LaunchFacts, 'trigger' | 'now' | 'lookbackDays'>,
): Unlaunched {
  const { directions: _directions, scope, charge, missingTargets: _, ...launchable } = ready;
  return {
    ...facts,
    ...launchable,
    unitPrice: toStored(charge.credits),
    product: charge.product,
    ...(scope === null ? {} : { scope }),
  };
}

/** The launch with everything that its runs need. */
export function launchOf(ready: Ready, facts: LaunchFacts): RunLaunched {
  const { launchId, runIds, maxCredits, quote, ...fixed } = facts;
  return {
    launchId,
    ...unlaunched(ready, fixed),
    runs: ready.directions.map((direction, index) => {
      const runId = runIds[index];
      if (runId === undefined) throw new Error('a run has no id');
      return { runId, direction };
    }),
    ...(maxCredits === null ? {} : { maxCredits: toStored(maxCredits) }),
    ...(quote === undefined ? {} : { quote }),
  };
}
