import { Buffer } from 'node:buffer';
import type { Credits } from '#kernel/values/credits.js';
import type { CommandContext } from '#kernel/commands/decider.js';
import { MAX_APPEND_BYTES } from '#kernel/ports/event-store.port.js';
import { unknownAgent } from '#signals/domain/agents/agent.js';
import { holdProblems, isBilled, requireAffordable } from '#ledger/charging/affordable.js';
import { askedBy } from '#ledger/charging/charges.js';
import type { RunLaunched } from '#signals/domain/launches/launch.events.js';
import { alreadyRunning, namedSource, requireUnused } from '#signals/domain/launches/launches.js';
import {
  launchOf,
  launchTooLarge,
  requireLaunchable,
  requireOnePrice,
  type Ready,
} from '#signals/domain/launches/prepare-launch.js';
import { workspace, workspaceBlocked } from '#access/domain/workspaces/workspace.js';
import type { LaunchHost, LaunchSource, Launching, SourceKey, Trigger } from './launch-source.js';
import { lookbackOf } from './lookback.js';
import { outdatedBecause, requireCurrent, type GivenQuote } from './quotes.js';

export type LaunchRequest = SourceKey & {
  readonly trigger: Trigger;
  /** In days; null: the default of such a launch (D-04). */
  readonly lookbackDays: number | null;
  /** The limit over all runs of the launch; null: only balance and caps limit them. */
  readonly maxCredits: Credits | null;
  /** The quote that approves it; null: no quote. */
  readonly quote: GivenQuote | null;
  /** The refusal of an unknown id; absent: that of an agent. */
  readonly unknown?: () => Error;
};

/** The members of a request that nobody made: without a limit, a quote and a look-back of its own. */
export const launchOfItself = { lookbackDays: null, maxCredits: null, quote: null } as const;

/** The refusals of a launch by the workspace and its credits, for the documents of endpoints. */
export const launchProblems = [workspaceBlocked, ...holdProblems];

/**
 * Prepares everything that the runs of a launch need, with ids, for the decision on the stream of the source. Refuses
 * in the order of OP-36: workspace blocked, agent unknown, nothing detectable, no target, no price, too large to be
 * recorded, a run in progress, a limit below one price, too few credits for one signal. `source`: null if the id is unknown.
 */
export async function prepareLaunch(
  host: LaunchHost,
  source: LaunchSource | null,
  request: LaunchRequest,
  context: CommandContext,
): Promise<RunLaunched> {
  const { workspaceId, trigger, quote } = request;
  const { ready, now, launches, monitoredSince } = await readyToLaunch(host, source, request);
  const wasUnbilled = quote !== null && quote.quote.creditsAtMost === null;
  // The quote was made while the workspace was not billed, so it is 0 even if billing starts during the run.
  const maxCredits = quote === null ? request.maxCredits : (quote.quote.creditsAtMost ?? 0n);
  const billed = await isBilled(host.commands, workspaceId);
  // A quote without billing is outdated once the workspace is billed.
  if (wasUnbilled && billed) throw outdatedBecause('who pays has changed');
  // A launch that was quoted 0 because nothing has a price spends nothing: later finds with a price are dropped.
  // Nothing has a price while nobody is billed.
  if (billed && quote?.quote.needsNothing !== true) {
    requireOnePrice(ready, maxCredits, quote === null ? 'max_credits' : 'quote_id');
    // A launch needs the price of one signal, not of all signals that it may find (SUP-20).
    const one = {
      credits: ready.charge.credits,
      cause: { kind: 'signal' as const, ...namedSource(ready.source), ...askedBy(context) },
    };
    await requireAffordable(host.commands, workspaceId, [one], host.clock.now().toISOString());
  }
  return launchOf(ready, {
    launchId: await host.ids.next('launch'),
    runIds: await host.ids.nextMany('run', ready.directions.length),
    trigger,
    maxCredits,
    ...(quote === null ? {} : { quote: { nonce: quote.quote.nonce, expiresAt: quote.quote.expiresAt } }),
    now: now.toISOString(),
    lookbackDays: request.lookbackDays ?? lookbackOf({ trigger, now, launches, monitoredSince }),
  });
}

/** What one append may carry, without the rest of the launch, its metadata and the record of its due time. */
const MOST_BYTES = MAX_APPEND_BYTES - 16 * 1024;

type ReadyLaunch = Omit<Launching, 'launchable'> & { readonly ready: Ready; readonly now: Date };

/**
 * The launch without the check of its credits. Refuses in the order of OP-36 up to a run in progress. A used quote is
 * refused before that, and an outdated one once the launch is known. A launch with a quote reads the observations as
 * of the moment of the quote.
 */
export async function readyToLaunch(
  host: LaunchHost,
  source: LaunchSource | null,
  request: LaunchRequest,
): Promise<ReadyLaunch> {
  const { workspaceId, quote, unknown = unknownAgent } = request;
  if (await host.commands.load(workspace, String(workspaceId), ({ blocked }) => blocked))
    throw workspaceBlocked();
  const clock = host.clock.now();
  const now = quote === null ? clock : new Date(quote.quote.now);
  const launching = (await source?.load(host, { ...request, now })) ?? null;
  if (launching === null) throw unknown();
  const { launchable, launches, monitoredSince } = launching;
  if (quote !== null) requireUnused(launches, quote.quote.nonce);
  const ready = requireLaunchable(launchable);
  const { parameters, persona, targetTitles } = ready;
  if (Buffer.byteLength(JSON.stringify([parameters, persona, targetTitles])) > MOST_BYTES)
    throw launchTooLarge();
  if (quote !== null) requireCurrent(quote, ready, clock);
  if (launches.running.length > 0) throw alreadyRunning();
  return { ready, launches, monitoredSince, now };
}
