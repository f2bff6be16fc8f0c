import { randomUUID } from 'node:crypto';
import type { Commands } from '#kernel/commands/commands.js';
import type { CommandContext } from '#kernel/commands/decider.js';
import type { Clock } from '#kernel/ports/clock.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { dueLots } from '#ledger/domain/lots.js';
import type { LedgerReader } from './ledger-reader.js';
import type { LedgerSums } from './ledger-sums.js';

/** What recording expiries needs. */
export type ExpiryHost = {
  readonly commands: Pick<Commands, 'handle'>;
  readonly ledgers: LedgerReader;
  readonly clock: Clock;
};

/** The last entry of a ledger, and the sums up to it. */
export type LedgerHead = { readonly head: StoredEvent; readonly sums: LedgerSums };

/**
 * Records expiries that are due and have no entry, and returns the last entry after that (LOT-02), so that an answer
 * about a past moment never changes. `head` is the last entry before; it is returned if the ledger has no lots.
 */
export async function headAfterExpiries(
  { commands, ledgers, clock }: ExpiryHost,
  workspaceId: number,
  head: StoredEvent,
): Promise<LedgerHead> {
  const sums = await ledgers.sumsBefore(workspaceId, head.revision + 1n);
  if (dueLots(sums.books.lots, clock.now().toISOString()).length === 0) return { head, sums };
  await recordExpiries(commands, workspaceId, {
    commandId: randomUUID(),
    actor: { kind: 'system', id: 'expiry' },
    workspaceId,
    correlationId: '',
  });
  const last = (await ledgers.head(workspaceId)) ?? head;
  return { head: last, sums: await ledgers.sumsBefore(workspaceId, last.revision + 1n) };
}

/** Records due expiries. Idempotent. */
export async function recordExpiries(
  commands: Pick<Commands, 'handle'>,
  workspaceId: number,
  context: CommandContext,
): Promise<void> {
  await commands.handle(creditAccount, String(workspaceId), () => [], {
    context,
    recordsDue: true,
  });
}
