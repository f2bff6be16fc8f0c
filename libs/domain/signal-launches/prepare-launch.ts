import { toStored, type Credits } from '#kernel/values/credits.js';
import type { JsonObject } from '#kernel/values/json.js';
import { refusal } from '#kernel/values/refusal.js';
import type { Direction, LaunchScope, PersonaFacts, RunLaunched } from './launch.events.js';

/**
 * The detectors that this version has, with the types of signals that each finds; the catalogue names more. Those
 * of top accounts look only at what these accounts and their people publish.
 */
const SIGNALS_OF = {
  keyword_post: ['keywordDetection'],
  top_account_post: ['keywordDetection'],
  job_posting: ['jobPostingKeywordDetection'],
  top_account_job_posting: ['jobPostingKeywordDetection'],
} as const;
export type DetectorKind = keyof typeof SIGNALS_OF;

export const isDetectorKind = (kind: string): kind is DetectorKind => Object.hasOwn(SIGNALS_OF, kind);

/** Whether this version finds these signals with that detector. */
function isDetectable(kind: string, signalTypes: readonly string[]): boolean {
  if (!isDetectorKind(kind)) return false;
  const found: readonly string[] = SIGNALS_OF[kind];
  return signalTypes.every((type) => found.includes(type));
}

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

/** The price of one signal, and what it is called on the bill. */
export type SignalCharge = { readonly credits: Credits; readonly product: string };

/** What a run of a setup or agent is made of. */
export type Launchable = {
  readonly source: { readonly kind: 'setup' | 'agent'; readonly id: number };
  readonly detectorKind: string;
  readonly signalTypes: readonly string[];
  readonly directions: readonly Direction[];
  readonly parameters: JsonObject;
  readonly templateKey: string | null;
  /** Ranks the signals; null where all of them are of top priority. */
  readonly persona: PersonaFacts | null;
  readonly scope: Watched;
  /** What one signal is charged as; null: no price yet, which is not free. */
  readonly charge: SignalCharge | null;
};

/**
 * The network as a whole, or what the workspace named and how many of them are watched: accounts, or members of
 * a list, none of a list that is archived or deleted (OP-48).
 */
export type Watched =
  | { readonly kind: 'network' }
  | { readonly kind: 'accounts'; readonly count: number }
  | { readonly kind: 'members'; readonly count: number; readonly scope: LaunchScope };

/** Checks that it can be run at all (OP-36, OP-18); gives what one signal is charged as. */
export function requireLaunchable(launchable: Launchable): SignalCharge {
  if (launchable.signalTypes.length === 0) throw noDetectionType();
  if (!isDetectable(launchable.detectorKind, launchable.signalTypes)) throw notDetectableYet();
  if (launchable.scope.kind !== 'network' && launchable.scope.count === 0) throw noTargetAccounts();
  if (launchable.charge === null) throw noDiscoveryPrice();
  return launchable.charge;
}

export type LaunchFacts = {
  readonly launchId: number;
  /** One a direction. */
  readonly runIds: readonly number[];
  readonly trigger: RunLaunched['trigger'];
  readonly now: string;
  readonly lookbackDays: number;
};

/** Everything that the runs of this launch will need, fixed. */
export function launchOf(launchable: Launchable, charge: SignalCharge, facts: LaunchFacts): RunLaunched {
  const { launchId, runIds, trigger, now, lookbackDays } = facts;
  const { source, detectorKind, signalTypes, directions, parameters, templateKey, persona, scope } =
    launchable;
  return {
    launchId,
    source,
    runs: directions.map((direction, index) => {
      const runId = runIds[index];
      if (runId === undefined) throw new Error('a run has no id');
      return { runId, direction };
    }),
    trigger,
    now,
    lookbackDays,
    unitPrice: toStored(charge.credits),
    product: charge.product,
    templateKey,
    detectorKind,
    signalTypes,
    parameters,
    persona,
    ...(scope.kind === 'members' ? { scope: scope.scope } : {}),
  };
}
