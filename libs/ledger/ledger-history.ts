import { setImmediate as nextTurn } from 'node:timers/promises';
import { streamName } from '#kernel/commands/decider.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { parseInstant } from '#kernel/values/instants.js';
import { fieldError } from '#kernel/values/refusal.js';
import { Type } from '#kernel/values/schema.js';
import { creditAccount, creditAccountUnknown } from '#domain/credits/credit-account.js';
import type { LedgerHistory } from '#domain/credits/ledger-entry.js';
import type { LedgerSums } from './ledger-sums.js';
import type { Moment } from './moment.js';
import { invalidInput } from '#ops/support/amounts.js';
import { described } from '#ops/support/inputs.js';
import type { OnProgress, OperatorHost } from '#ops/support/operator-command.js';

/** A date (midnight UTC) or timestamp; or a ledger revision, as a number or its digits. */
export const MomentInput = described(
  'as it stood before this date or timestamp, or after this ledger revision; now when absent',
  Type.Union([Type.Integer({ minimum: 0 }), Type.String()]),
);

/** The last entry of a workspace's ledger. Throws `creditAccountUnknown` where there is none. */
export async function ledgerHead({ eventStore }: OperatorHost, workspaceId: number): Promise<StoredEvent> {
  const stream = streamName(creditAccount, String(workspaceId));
  for await (const [last] of eventStore.readStream(stream, { direction: 'backwards', maxCount: 1 })) {
    if (last !== undefined) return last;
  }
  throw creditAccountUnknown();
}

/** The entries of a ledger from one up to another, in batches, with a turn of the loop for others between them. */
export async function* ledgerHistory(
  { eventStore }: OperatorHost,
  head: StoredEvent,
  onProgress: OnProgress,
  from = 0n,
): AsyncGenerator<readonly StoredEvent[], void, undefined> {
  const startedAt = performance.now();
  const total = Number(head.revision - from) + 1;
  for await (const batch of eventStore.readStream(head.stream, { from })) {
    yield batch.filter(({ revision }) => revision <= head.revision);
    const read = batch.at(-1)?.revision ?? 0n;
    const done = Number(read - from) + 1;
    onProgress({ done, total, perSecond: (done / (performance.now() - startedAt)) * 1_000 });
    if (read >= head.revision) return;
    await nextTurn();
  }
}

/**
 * The entries of a ledger from a time on (null is the first), and the sums of those before them. Where the
 * moment lies before that time there are none.
 */
export async function ledgerPeriod(
  host: OperatorHost,
  head: StoredEvent,
  period: { readonly workspaceId: number; readonly from: string | null; readonly asOf: Moment },
  onProgress: OnProgress,
): Promise<{ readonly history: LedgerHistory; readonly sums: LedgerSums }> {
  const { workspaceId, from, asOf } = period;
  const end = await momentEnd(host, workspaceId, asOf, head);
  const begun = from === null ? 0n : await host.ledgers.firstAt(workspaceId, from, head);
  const first = begun < end ? begun : end;
  const sums = await host.ledgers.sumsBefore(workspaceId, first);
  return { history: ledgerHistory(host, head, onProgress, first), sums };
}

/** The first revision that was not there yet at a moment. */
export async function momentEnd(
  { ledgers }: OperatorHost,
  workspaceId: number,
  { at, revision }: Moment,
  head: StoredEvent,
): Promise<bigint> {
  const last = (revision ?? head.revision) + 1n;
  if (at === undefined) return last;
  const byTime = await ledgers.firstAt(workspaceId, at, head);
  return byTime < last ? byTime : last;
}

/** Reads a date or timestamp as RFC 3339 in UTC with milliseconds. Throws `invalidInput` naming the field. */
function readInstant(text: string, field: string): string {
  const instant = parseInstant(text);
  if (instant === null) {
    throw invalidInput({ errors: fieldError(field, 'must be a date or an RFC 3339 timestamp') });
  }
  return instant.at.toISOString();
}

/** Reads the period of a statement or export. Throws `invalidInput` naming the field. */
export function readPeriod(input: { readonly from?: string; readonly to?: string }): {
  readonly from: string | null;
  readonly to: string | null;
} {
  const from = input.from === undefined ? null : readInstant(input.from, 'from');
  const to = input.to === undefined ? null : readInstant(input.to, 'to');
  if (from !== null && to !== null && from > to) {
    throw invalidInput({ errors: fieldError('from', 'must not be after to') });
  }
  return { from, to };
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
