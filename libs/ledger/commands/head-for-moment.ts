import { ledgerHead, type LedgerHost } from '#ledger/history/ledger-history.js';
import type { Moment } from '#ledger/history/moment.js';
import { headAfterExpiries, type ExpiryHost, type LedgerHead } from '#ledger/history/record-expiries.js';
import { readMoment } from './ledger-inputs.js';

/**
 * The last entry of a ledger after due expiries are recorded, and the moment that is asked about. The moment is judged before
 * anything is recorded: a refused request changes nothing (INV-07).
 */
export async function headForMoment(
  host: LedgerHost & ExpiryHost,
  workspaceId: number,
  at: Parameters<typeof readMoment>[0],
): Promise<LedgerHead & { readonly moment: Moment }> {
  const last = await ledgerHead(host, workspaceId);
  const moment = readMoment(at, last, host.clock.now());
  return { ...(await headAfterExpiries(host, workspaceId, last)), moment };
}
