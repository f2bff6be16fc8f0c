import type { Commands } from '#kernel/commands/commands.js';
import type { Clock } from '#kernel/ports/clock.js';
import { fromStored, type Credits } from '#kernel/values/credits.js';
import { availableAt } from '#ledger/domain/books.js';
import { chargedSince } from '#ledger/domain/charged-since.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { readEntry } from '#ledger/domain/ledger-entry.js';
import type { LedgerReader } from './ledger-reader.js';

/** What reading the charges of some work needs from its host. */
export type ChargedHost = {
  readonly commands: Pick<Commands, 'load'>;
  readonly clock: Clock;
  readonly ledgers: Pick<LedgerReader, 'entriesFrom'>;
};

/** The position in a ledger before some work: later charges belong to the work. */
export const markLedger = (commands: Pick<Commands, 'load'>, workspaceId: number): Promise<bigint> =>
  commands.load(creditAccount, String(workspaceId), ({ memory }) => memory.revision);

/**
 * The credits charged since the mark under the keys that are meant, and the credits left. Read from the ledger, because
 * another process may have made a charge of this work first.
 */
export async function chargesSince(
  { commands, clock, ledgers }: ChargedHost,
  workspaceId: number,
  mark: bigint,
  isMeant: (key: string) => boolean,
): Promise<{ readonly charged: Credits; readonly remaining: Credits }> {
  const { charged, remaining } = await commands.load(creditAccount, String(workspaceId), (account) => ({
    charged: chargedSince(account, mark, isMeant),
    remaining: availableAt(account.books, clock.now().toISOString()),
  }));
  return { charged: charged ?? (await chargedInEntries(ledgers, workspaceId, mark, isMeant)), remaining };
}

/** The same sum from the entries after the mark: long work can outlast what the ledger remembers. */
async function chargedInEntries(
  ledgers: ChargedHost['ledgers'],
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
