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

/** The price of one signal, and what it is called on the bill (OP-23). */
export type SignalCharge = { readonly credits: Credits; readonly product: string };

/** What a run of a setup or agent is made of. */
export type Launchable = {
  readonly source: RunLaunched['source'];
  /** Name of the detector; null where this version has none for what is wanted. */
  readonly detectorKind: string | null;
  /** Empty for what has no detection type. */
  readonly signalTypes: readonly string[];
  readonly directions: readonly Direction[];
  readonly parameters: JsonObject;
  readonly templateKey: string | null;
  /** Ranks the signals; null where all of them are of top priority. */
  readonly persona: LaunchPersona | null;
  readonly coveredFor: number | null;
  readonly targetTitles: readonly string[] | null;
  readonly audiences: readonly Audience[];
  /** Of a launch about a list: the list as it is now. */
  readonly scope: LaunchScope | null;
  /**
   * What is missing and what to call, where it looks at accounts or members that the workspace names and there are none
   * (OP-36, OP-48); null where nothing is.
   */
  readonly missingTargets: string | null;
  /** What one signal is charged as; null: no price yet, which is not free. */
  readonly charge: SignalCharge | null;
};

/** One that can be run. */
export type Ready = Launchable & { readonly detectorKind: string; readonly charge: SignalCharge };

/** Checks that the limit of a launch covers one signal (QUO-02). Throws `belowOnePrice` on the field that sets it. */
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

/** Checks that it can be run at all (OP-36, OP-18). Throws why not. */
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
  /** One a direction. */
  readonly runIds: readonly number[];
  readonly trigger: RunLaunched['trigger'];
  readonly now: string;
  readonly lookbackDays: number;
  /** What all runs together may spend at most; null: what balance and caps allow. */
  readonly maxCredits: Credits | null;
  /** The quote that it was approved by; absent where there is none. */
  readonly quote?: RunLaunched['quote'];
};

/** What a launch looks at, before it has runs. */
export type Unlaunched = Omit<RunLaunched, 'launchId' | 'runs' | 'maxCredits' | 'quote'>;

/** What a launch with these facts would look at. */
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

/** Everything that the runs of this launch will need, fixed. */
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
