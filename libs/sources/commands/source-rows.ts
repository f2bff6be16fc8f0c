import { Id, Nullable, OneOf, Timestamp, Type, type Static } from '#kernel/values/schema.js';
import { DAY_MS } from '#kernel/values/durations.js';
import type { SourceDocument } from '#projections/sources/sources/sources.projection.js';
import { kindOf } from '../source-kinds.js';
import type { PollMemory } from '../poll-memory.js';

const Moment = Nullable(Timestamp);
const Count = Type.Integer({ minimum: 0 });

/** The state of a source, for lists of operators. */
export const SourceRow = Type.Object({
  source_id: Id,
  kind: Type.String(),
  name: Type.String(),
  status: OneOf('active', 'paused', 'removed', 'gone', 'failing', 'new'),
  last_poll: Moment,
  next_poll: Moment,
  /** For the last reading: the items listed, and how many were new, changed, gone, or without a text. */
  items: Count,
  new: Count,
  changed: Count,
  closed: Count,
  skipped: Count,
  /** Failures in a row. */
  errors: Count,
  error: Nullable(Type.String()),
  terms_read: Nullable(Type.String()),
  warning: Nullable(Type.String()),
});

/** Terms that were read longer ago may have changed. */
const TERMS_LAST_MS = 180 * DAY_MS;

export function sourceRow(source: SourceDocument, memory: PollMemory, now: Date): Static<typeof SourceRow> {
  const { id, kind, name, status, terms } = source;
  const isPolled = status === 'active' && memory.nextPollAtMs < Number.MAX_SAFE_INTEGER;
  return {
    source_id: id,
    kind,
    name,
    status: statusOf(status, memory),
    last_poll: momentOf(memory.lastPollAtMs),
    next_poll: isPolled ? (momentOf(memory.nextPollAtMs) ?? now.toISOString()) : null,
    items: memory.items,
    new: memory.added,
    changed: memory.changed,
    closed: memory.closed,
    skipped: memory.skipped,
    errors: memory.failures,
    error: memory.lastFailure,
    terms_read: terms.readOn,
    warning: warningsOf(source, memory, now),
  };
}

function warningsOf(source: SourceDocument, memory: PollMemory, now: Date): string | null {
  const warnings = [unconfirmed(source, memory), termsWarning(source, now)].filter((one) => one !== null);
  return warnings.length === 0 ? null : warnings.join('; ');
}

/** Items missing in the last reading, which the next one has to confirm before they are closed (SRC-06). */
function unconfirmed({ kind }: Pick<SourceDocument, 'kind'>, { empty, suspects }: PollMemory): string | null {
  if (kindOf(kind)?.gives !== 'postings') return null;
  if (empty === 1) return 'the last answer was empty: nothing is closed before the next one is empty, too';
  return suspects.length === 0
    ? null
    : `${suspects.length} postings were not listed: they are closed when the next reading lacks them, too`;
}

function statusOf(status: SourceDocument['status'], memory: PollMemory): Static<typeof SourceRow>['status'] {
  if (status !== 'active') return status;
  if (memory.isGone) return 'gone';
  if (memory.failures > 0) return 'failing';
  return memory.lastPollAtMs === null ? 'new' : 'active';
}

/** The last moment that a timestamp can show. */
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** A time in real time; null for 0 and for never. A stored time may be later than a timestamp can show. */
export function momentOf(ms: number | null): string | null {
  if (ms === null || ms <= 0 || ms >= Number.MAX_SAFE_INTEGER) return null;
  return new Date(Math.min(ms, LATEST_MS)).toISOString();
}

/**
 * Why the terms should be read again; null if that was done recently. A customer's file has no terms: the warning
 * says instead that all workspaces share it (SRC-10).
 */
export function termsWarning(
  { kind, terms: { readOn } }: Pick<SourceDocument, 'kind' | 'terms'>,
  now: Date,
): string | null {
  if (kindOf(kind)?.isFile === true) return 'all workspaces share the content of the file';
  if (readOn === null)
    return 'terms not read: read them before you rely on this source, and record that with source terms';
  const isOld = now.getTime() - Date.parse(readOn) > TERMS_LAST_MS;
  return isOld ? `the terms were read on ${readOn}, more than 180 days ago: read them again` : null;
}
