import { workspaceScoped } from '#kernel/commands/decider.js';
import { ChargesMoved, loadChargesMark } from '#ledger/charging/charges.js';
import { company, DISABLED } from '#identities/domain/companies/company.js';
import { topAccounts } from '#accounts/domain/top-accounts/top-accounts.js';
import { workspaceState } from '#accounts/workspace-state.js';
import type { Holding, Uncovered } from '#accounts/mappings/account-charges.js';
import { accountPrices, payForMapping } from '#accounts/mappings/map-account.js';
import { pipelinesContext, type PayFirst, type PipelinesRun } from './account-pipelines-run.js';
import { endWorked, type FoundMapping, type Guarded, type MappingToPay } from './worked-request.js';

/** The first request that is not covered. */
export type UncoveredRequest = Uncovered & { readonly requestId: number };

type MappingPayments = {
  readonly waiting: UncoveredRequest | null;
  readonly paid: ReadonlySet<number>;
  /** Requests whose pipeline was switched off since the page was read. */
  readonly switchedOff: readonly number[];
  readonly isBlocked: boolean;
};

/**
 * Pays for one mapping after the other, until one is not covered. Each is checked immediately before: it must still be
 * requested, and the ledger refuses a check that is older than a stop. Uncovered months come first (OP-27).
 */
export async function payInOrder(
  run: PipelinesRun,
  found: readonly FoundMapping[],
  {
    guarded,
    payFirst,
    holding,
  }: { readonly guarded: Guarded; readonly payFirst: PayFirst; readonly holding: Holding },
  signal: AbortSignal,
): Promise<MappingPayments> {
  const { host, workspaceId } = run;
  const paid = new Set<number>();
  let waiting: UncoveredRequest | null = null;
  const switchedOff: number[] = [];
  let isBlocked = false;
  const monthsFirst = waitingMonths(run, payFirst, signal);
  const pay = guarded(async (item: MappingToPay): Promise<void> => {
    const { requestId, companyId } = item.request;
    for (;;) {
      signal.throwIfAborted();
      const mark = await loadChargesMark(host.commands, workspaceId);
      const standing = await standingOf(run, companyId);
      if (standing === 'removed') await endWorked(run, item, 'request_timed_out');
      if (standing === 'off') switchedOff.push(requestId);
      if (standing === 'blocked') isBlocked = true;
      if (standing !== 'on') return;
      if (holding === 'any') await monthsFirst(mark);
      try {
        const prices = await accountPrices(host, workspaceId);
        const missing = await payForMapping(host, item.underWay, prices, item.people, { mark, holding });
        if (missing === null) paid.add(requestId);
        else if (holding === 'any') waiting = { requestId, ...missing };
        return;
      } catch (error) {
        if (!(error instanceof ChargesMoved)) throw error;
      }
    }
  });
  for (const item of found) {
    if ('people' in item) await pay(item);
    if (waiting !== null || isBlocked) break;
  }
  return { paid, waiting, switchedOff, isBlocked };
}

/** Whether the mapping of a company is requested now, read from the streams. */
async function standingOf(
  { host, workspaceId }: PipelinesRun,
  companyId: number,
): Promise<'on' | 'off' | 'removed' | 'blocked'> {
  const { commands } = host;
  const stream = String(workspaceId);
  const [{ blocked, accountMapping }, isListed, isDisabled] = await Promise.all([
    workspaceState(commands, workspaceId),
    commands.load(topAccounts, stream, ({ byCompany }) => byCompany.has(companyId)),
    commands.load(
      company,
      workspaceScoped(workspaceId, companyId),
      ({ pipelines }) => pipelines.get('account_mapping') === DISABLED,
    ),
  ]);
  if (blocked) return 'blocked';
  if (!isListed) return 'removed';
  return accountMapping && !isDisabled ? 'on' : 'off';
}

/**
 * Tries to pay uncovered months, unless that was done since the ledger's last entry after which charges are prepared
 * again.
 */
function waitingMonths(
  { host, workspaceId }: PipelinesRun,
  payFirst: PayFirst,
  signal: AbortSignal,
): (mark: bigint) => Promise<void> {
  let decidedAt: bigint | null = null;
  return async (mark) => {
    if (decidedAt === mark) return;
    const context = pipelinesContext(workspaceId, `months:${mark}`);
    await payFirst(host, { workspaceId, context }, signal);
    decidedAt = mark;
  };
}
