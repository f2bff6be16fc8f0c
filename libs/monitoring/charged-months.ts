import { chargesSince, markLedger, type ChargedHost } from '#ledger/history/charges-since.js';
import { companyOfMonthKey } from './domain/months-facts.js';

type ChargedAndLeft = Awaited<ReturnType<typeof chargesSince>>;

/**
 * Called before a request changes what is monitored. The returned function reads the credits that were charged since
 * then for months of these companies, and the credits left.
 */
export async function chargedMonths(
  host: ChargedHost,
  workspaceId: number,
): Promise<(companyIds: ReadonlySet<number>) => Promise<ChargedAndLeft>> {
  const mark = await markLedger(host.commands, workspaceId);
  return (companyIds) =>
    chargesSince(host, workspaceId, mark, (key) => companyIds.has(companyOfMonthKey(key) ?? 0));
}
