import type { Commands } from '#kernel/commands/commands.js';
import { streamName } from '#kernel/commands/decider.js';
import type { EventStore, Position } from '#kernel/ports/event-store.port.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { loadChargesMark } from './charges.js';

/**
 * Whether the newest entry that charges have to be prepared after is a stop after this position. If so, every charge
 * that was prepared before this position is refused. False if the newest such entry is another one.
 */
export async function areChargesStopped(
  commands: Pick<Commands, 'load'>,
  events: Pick<EventStore, 'readStream'>,
  workspaceId: number,
  behind: Position,
): Promise<boolean> {
  const mark = await loadChargesMark(commands, workspaceId);
  if (mark < 0n) return false;
  const stream = streamName(creditAccount, String(workspaceId));
  for await (const [entry] of events.readStream(stream, { from: mark, maxCount: 1 }))
    return entry?.type === 'ChargesStopped' && entry.position > behind;
  return false;
}
