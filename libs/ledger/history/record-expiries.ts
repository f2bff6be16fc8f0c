import { randomUUID } from 'node:crypto';
import type { Commands } from '#kernel/commands/commands.js';
import type { CommandContext } from '#kernel/commands/decider.js';
import type { Clock } from '#kernel/ports/clock.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { dueLots } from '#ledger/domain/lots.js';
import type { LedgerReader } from './ledger-reader.js';

/** What recording expiries needs. */
export type ExpiryHost = {
  readonly commands: Pick<Commands, 'handle'>;
  readonly ledgers: LedgerReader;
  readonly clock: Clock;
};

/**
 * Records what has expired by now and no entry says yet, and gives the last entry then (LOT-02): whoever reads a ledger as
 * of a time reads what stays. `head` is the last entry as it was found; without lots in the ledger it is given back.
 */
export async function headAfterExpiries(
  { commands, ledgers, clock }: ExpiryHost,
  workspaceId: number,
  head: StoredEvent,
): Promise<StoredEvent> {
  const { books } = await ledgers.sumsBefore(workspaceId, head.revision + 1n);
  if (dueLots(books.lots, clock.now().toISOString()).length === 0) return head;
  await recordExpiries(commands, workspaceId, {
    commandId: randomUUID(),
    actor: { kind: 'system', id: 'expiry' },
    workspaceId,
    correlationId: '',
  });
  return (await ledgers.head(workspaceId)) ?? head;
}

/** Records what has expired; nothing where that is recorded. */
export async function recordExpiries(
  commands: Pick<Commands, 'handle'>,
  workspaceId: number,
  context: CommandContext,
): Promise<void> {
  await commands.handle(creditAccount, String(workspaceId), () => [], {
    context,
    answer: () => null,
    recordsDue: true,
  });
}
