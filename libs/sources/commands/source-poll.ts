import { refusal } from '#kernel/values/refusal.js';
import type { OnProgress } from '#kernel/ports/work-progress.js';
import { Nullable, OneOf, Timestamp, Type, type Static } from '#kernel/values/schema.js';
import { operatorCommand, type OperatorHost } from '#ops/support/operator-command.js';
import type { SourceDocument } from '#projections/sources/sources/sources.projection.js';
import type { PollMemory } from '../poll-memory.js';
import { GONE } from '../gone-source.js';
import { kindOf } from '../source-kinds.js';
import { oneSource, SourceId } from './one-source.js';
import { momentOf } from './source-rows.js';
import { requireContact } from './source-contact.js';
import { unknownSource } from '../domain/source.js';

const notBefore = refusal({
  code: 'source-not-before',
  kind: 'conflicting',
  detail: 'The host of the source does not allow a request yet.',
});

const inHand = refusal({
  code: 'source-in-hand',
  kind: 'conflicting',
  detail: 'The source is being polled at this moment.',
});

const Count = Type.Integer({ minimum: 0 });

/** The result of a poll. */
export const PollAnswer = Type.Object({
  /** Whether everything was read. */
  ok: Type.Boolean(),
  /** `later`: its host asks for no request before `next_poll`. */
  outcome: OneOf('read', 'failed', 'later'),
  error: Nullable(Type.String()),
  items: Count,
  new: Count,
  changed: Count,
  closed: Count,
  skipped: Count,
  next_poll: Nullable(Timestamp),
});

export const sourcePoll = operatorCommand({
  name: 'source.poll',
  summary: 'Poll a source now, although it is not due; the limits of its host still apply',
  input: Type.Object({ source_id: SourceId }),
  output: PollAnswer,
  async run(host, { source_id: sourceId }, _context, onProgress) {
    const source = await oneSource(host, sourceId);
    requireContact(host, kindOf(source.kind));
    if (source.status === 'removed') throw unknownSource();
    const polled = await pollNow(host, source, onProgress);
    if (polled.outcome === 'in hand') throw inHand();
    const { memory } = polled;
    if (polled.outcome === 'too early')
      throw notBefore({ members: { not_before: momentOf(memory.notBeforeMs) } });
    return pollAnswer(memory);
  },
});

/** Polls a source for an operator. Progress counts requests, then items; for a file bytes. */
export function pollNow(
  { sources }: Pick<OperatorHost, 'sources'>,
  source: SourceDocument,
  onProgress: OnProgress,
) {
  const signal = new AbortController().signal;
  return sources.poll(source, { isAsked: true, signal, onProgress: barOf(onProgress) });
}

export function pollAnswer(memory: PollMemory): Static<typeof PollAnswer> {
  const isRead = memory.failures === 0;
  // After a failure the memory still has the counts of the last reading; only a poll of a board that is gone closes.
  const isClosing = isRead || (memory.isGone && memory.lastFailure === GONE);
  return {
    ok: isRead,
    outcome: isRead ? 'read' : 'failed',
    error: memory.lastFailure,
    items: isRead ? memory.items : 0,
    new: isRead ? memory.added : 0,
    changed: isRead ? memory.changed : 0,
    closed: isClosing ? memory.closed : 0,
    skipped: isRead ? memory.skipped : 0,
    next_poll: momentOf(memory.nextPollAtMs),
  };
}

/** The answer if nothing could be read yet. */
export function laterAnswer(memory: PollMemory): Static<typeof PollAnswer> {
  const none = { items: 0, new: 0, changed: 0, closed: 0, skipped: 0 };
  return { ok: false, outcome: 'later', error: null, ...none, next_poll: momentOf(memory.notBeforeMs) };
}

/** Progress in requests, then written items, or in bytes of a file. */
function barOf(onProgress: OnProgress) {
  const startedAt = performance.now();
  return (done: number, total: number | null, what: string): void =>
    onProgress({ done, total, perSecond: (1_000 * done) / (performance.now() - startedAt), note: what });
}
