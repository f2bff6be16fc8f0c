import { randomUUID } from 'node:crypto';
import type { JsonValue } from '#kernel/values/json.js';
import type { Credits } from '#kernel/values/credits.js';
import type { CommandContext } from '#kernel/commands/decider.js';
import type { ReadModelProgress } from '#kernel/ports/progress.port.js';
import { isBilled } from '#ledger/charging/affordable.js';
import { askedBy } from '#ledger/charging/charges.js';
import { decisionTime } from '#ledger/domain/books.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { spendable, type Spendable } from '#ledger/domain/spendable.js';
import { requireEarlierLaunches } from '#signals/detection/earlier-launches.js';
import { namedSource } from '#signals/domain/launches/launches.js';
import { requireOnePrice } from '#signals/domain/launches/prepare-launch.js';
import { launchSource } from '#signals/launching/launch-sources.js';
import type { LaunchHost, LaunchSource } from '#signals/launching/launch-source.js';
import { readyToLaunch, type LaunchRequest } from '#signals/launching/launch.js';
import { digestOf, madeOf, type Quote } from '#signals/launching/quotes.js';
import { countCandidates, type Counted, type CountingHost } from './count-candidates.js';

/** The lifetime of a quote. */
const QUOTE_MS = 15 * 60_000;

/** The expected result and cost of a launch. */
export type Quoted = {
  readonly quote: Quote;
  readonly counted: Counted;
  readonly price: Credits;
  /** The price of all priced candidates; null if the count did not reach the end. */
  readonly creditsNeeded: Credits | null;
  /** What limits the spending below the need; null if nothing does. */
  readonly limitedBy: 'balance' | 'cap' | 'max_credits' | null;
  readonly spendable: Spendable;
  /** The moment of balance and caps. */
  readonly at: string;
};

/**
 * The expected result of a launch and its maximum cost (QUO-01). It records nothing. It refuses like the launch,
 * except for a balance or cap below one signal, which is part of the answer.
 */
export async function quoteLaunch(
  host: LaunchHost & CountingHost & { readonly progress: ReadModelProgress },
  source: LaunchSource | null,
  request: Omit<LaunchRequest, 'quote' | 'trigger'> & { readonly lookbackDays: number },
  about: { readonly logId: string; readonly body: JsonValue },
  context: CommandContext,
): Promise<Quoted> {
  const { workspaceId, lookbackDays, maxCredits } = request;
  const asked = { ...request, trigger: 'manual' as const, quote: null };
  const { ready, now } = await readyToLaunch(host, source, asked);
  if (await isBilled(host.commands, workspaceId)) requireOnePrice(ready, maxCredits);
  const { position } = await launchSource(ready.source.kind).look(host.commands, request);
  // Findings of the last launch are not new, even if the read models do not show them yet.
  if (position !== null) await requireEarlierLaunches(host.progress, { position, workspaceId });
  const counted = await countCandidates(host, {
    workspaceId,
    ready,
    trigger: 'manual',
    now: now.toISOString(),
    lookbackDays,
  });
  const cause = { kind: 'signal' as const, ...namedSource(ready.source), ...askedBy(context) };
  const clock = host.clock.now().toISOString();
  const { allowed, at } = await host.commands.load(creditAccount, String(workspaceId), (account) => {
    const at = decisionTime(account.books, clock);
    return { allowed: spendable(account, cause, at), at };
  });
  const price = ready.charge.credits;
  const isCounted = counted.inexact === null || counted.inexact === 'research';
  const creditsNeeded = isCounted ? BigInt(counted.charges) * price : null;
  const { creditsAtMost, limitedBy } = spendsAtMost(price, creditsNeeded, maxCredits, allowed);
  const quote: Quote = {
    nonce: randomUUID(),
    logId: about.logId,
    body: digestOf(about.body),
    now: now.toISOString(),
    lookbackDays,
    madeOf: madeOf(ready),
    creditsAtMost,
    ...(creditsAtMost === 0n && creditsNeeded === 0n ? { needsNothing: true } : {}),
    expiresAt: new Date(host.clock.now().getTime() + QUOTE_MS).toISOString(),
  };
  return { quote, counted, price, creditsNeeded, limitedBy, spendable: allowed, at };
}

/** All signals have the same price, so a rest below one price is not spent. An exempt workspace has no limit: null. */
function spendsAtMost(
  price: Credits,
  creditsNeeded: Credits | null,
  maxCredits: Credits | null,
  allowed: Spendable,
): Pick<Quoted, 'limitedBy'> & Pick<Quote, 'creditsAtMost'> {
  if (allowed.credits === null) return { creditsAtMost: null, limitedBy: null };
  if (price === 0n) return { creditsAtMost: 0n, limitedBy: null };
  const isOwnLimit = maxCredits !== null && maxCredits < allowed.credits;
  const limit = isOwnLimit ? maxCredits : allowed.credits;
  if (creditsNeeded !== null && creditsNeeded <= limit)
    return { creditsAtMost: creditsNeeded, limitedBy: null };
  return { creditsAtMost: limit - (limit % price), limitedBy: isOwnLimit ? 'max_credits' : allowed.by };
}
