import { setImmediate as nextTurn } from 'node:timers/promises';
import { streamName } from '#kernel/decider.js';
import type { StoredEvent } from '#kernel/event-store.port.js';
import { parseInstant } from '#kernel/instants.js';
import { fieldError } from '#kernel/refusal.js';
import { Type } from '#kernel/schema.js';
import { creditAccount, creditAccountUnknown } from '#domain/credits/credit-account.js';
import type { Moment } from '#domain/credits/moment.js';
import { invalidInput } from './amounts.js';
import type { OnProgress, OperatorHost } from './operator-command.js';

/** A date (midnight UTC) or timestamp; or a ledger revision, as a number or its digits. */
export const MomentInput = Type.Union([Type.Integer({ minimum: 0 }), Type.String()]);

/** The last entry of a workspace's ledger. Throws `creditAccountUnknown` where there is none. */
export async function ledgerHead({ eventStore }: OperatorHost, workspaceId: number): Promise<StoredEvent> {
  const stream = streamName(creditAccount, String(workspaceId));
  for await (const [last] of eventStore.readStream(stream, { direction: 'backwards', maxCount: 1 })) {
    if (last !== undefined) return last;
  }
  throw creditAccountUnknown();
}

/** The entries of a ledger up to one of them, in batches, with a turn of the loop for others between them. */
export async function* ledgerHistory(
  { eventStore }: OperatorHost,
  head: StoredEvent,
  onProgress: OnProgress,
): AsyncGenerator<readonly StoredEvent[], void, undefined> {
  for await (const batch of eventStore.readStream(head.stream)) {
    yield batch.filter(({ revision }) => revision <= head.revision);
    const read = batch.at(-1)?.revision ?? 0n;
    onProgress({ done: Number(read) + 1, total: Number(head.revision) + 1 });
    if (read >= head.revision) return;
    await nextTurn();
  }
}

/** Reads a date or timestamp as RFC 3339 in UTC with milliseconds. Throws `invalidInput` naming the field. */
export function readInstant(text: string, field: string): string {
  const instant = parseInstant(text);
  if (instant === null) {
    throw invalidInput({ errors: fieldError(field, 'must be a date or an RFC 3339 timestamp') });
  }
  return instant.at.toISOString();
}

/**
 * Reads a moment of this ledger; now, where none is named. A time that has not come yet is refused: more could
 * still be recorded before it, and the same question must have the same answer for ever.
 */
export function readMoment(input: number | string | undefined, head: StoredEvent, now: Date): Moment {
  if (input === undefined) return {};
  if (typeof input === 'number' || /^\d{1,15}$/.test(input)) {
    const revision = BigInt(input);
    if (revision <= head.revision) return { revision };
    throw invalidInput({ errors: fieldError('at', `the ledger is at revision ${head.revision}`) });
  }
  const at = readInstant(input, 'at');
  if (at > now.toISOString() && at > (head.metadata['recordedAt'] ?? '')) {
    throw invalidInput({ errors: fieldError('at', 'must not lie in the future') });
  }
  return { at };
}
