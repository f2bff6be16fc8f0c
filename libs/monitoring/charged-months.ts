import type { Commands } from '#kernel/commands/commands.js';
import type { Clock } from '#kernel/ports/clock.js';
import { fromStored, type Credits } from '#kernel/values/credits.js';
import { availableAt } from '#ledger/domain/books.js';
import { chargedSince } from '#ledger/domain/charged-since.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { readEntry } from '#ledger/domain/ledger-entry.js';
import type { LedgerReader } from '#ledger/history/ledger-reader.js';
import { companyOfMonthKey } from './domain/months-facts.js';

type Host = {
  readonly commands: Pick<Commands, 'load'>;
  readonly clock: Clock;
  readonly ledgers: Pick<LedgerReader, 'entriesFrom'>;
};

/** The position in a ledger before some work: later charges belong to the work. */
export const markLedger = (commands: Pick<Commands, 'load'>, workspaceId: number): Promise<bigint> =>
  commands.load(creditAccount, String(workspaceId), ({ memory }) => memory.revision);

/**
 * The credits charged for months of these companies since the mark, and the credits left. Read from the ledger,
 * because a worker may have paid a month of this request first.
 */
export async function chargedMonths(
  { commands, clock, ledgers }: Host,
  workspaceId: number,
  mark: bigint,
  companyIds: ReadonlySet<number>,
): Promise<{ readonly charged: Credits; readonly remaining: Credits }> {
  const isMeant = (key: string): boolean => companyIds.has(companyOfMonthKey(key) ?? 0);
  const { charged, remaining } = await commands.load(creditAccount, String(workspaceId), (account) => ({
    charged: chargedSince(account, mark, isMeant),
    remaining: availableAt(account.books, clock.now().toISOString()),
  }));
  return { charged: charged ?? (await chargedInEntries(ledgers, workspaceId, mark, isMeant)), remaining };
}

/** The same sum from the entries after the mark: a request for many months can outlast what the ledger remembers. */
async function chargedInEntries(
  ledgers: Host['ledgers'],
  workspaceId: number,
  mark: bigint,
  isMeant: (key: string) => boolean,
): Promise<Credits> {
  const charged = new Map<number, Credits>();
  for await (const batch of ledgers.entriesFrom(workspaceId, mark + 1n)) {
    for (const stored of batch) {
      const { type, data } = readEntry(stored);
      if (type === 'CreditsHeld' && isMeant(data.key)) charged.set(data.movementId, fromStored(data.credits));
      if (type === 'CreditsReleased') charged.delete(data.movementId);
    }
  }
  return [...charged.values()].reduce((sum, credits) => sum + credits, 0n);
}
