import { beforeWriting } from './before-writing.js';
import { refPrefix } from './item-ref.js';
import type { PollMemory } from './poll-memory.js';
import { HOUR_MS } from '#kernel/values/durations.js';
import { afterFailure, nextOfGone } from './poll-outcome.js';
import type { Poll, PollParts } from './poll-source.js';

/** After this many 404 answers, at polls at least half an hour apart, the board is considered gone. */
const MISSING_IS_GONE = 3;
/** The failure of a poll that closed the postings of a board because it is gone. */
export const GONE = 'is gone';

/** 404 counts at most once per half hour, so that repeated polls by an operator do not count. */
export async function afterMissing(parts: PollParts, poll: Poll, notBeforeMs: number): Promise<PollMemory> {
  const { before } = poll;
  const at = parts.nowMs();
  const isSpaced = before.missing === 0 || at - before.missingAtMs >= HOUR_MS / 2;
  const missing = before.missing + Number(isSpaced);
  const missingAtMs = isSpaced ? at : before.missingAtMs;
  if (missing < MISSING_IS_GONE)
    return { ...afterFailure(parts, poll, 'answered 404', notBeforeMs), missing, missingAtMs };
  const gone = await afterGone(parts, poll, notBeforeMs);
  return { ...gone, missing, missingAtMs, nextPollAtMs: nextOfGone(before, at, notBeforeMs) };
}

/**
 * If a board is gone, its postings are closed; if a feed is gone, its posts stay. The postings open again if the board
 * comes back, also with the content of its last reading: without validators it is read completely.
 */
export async function afterGone(parts: PollParts, poll: Poll, notBeforeMs: number): Promise<PollMemory> {
  const { network, nowMs } = parts;
  const { source, kind } = poll;
  const refs =
    kind.gives === 'postings' ? await network.polls.openPostings(refPrefix(source.kind, source.boardId)) : [];
  const reading = { sourceId: String(source.id), readAtMs: parts.now().getTime(), isFirst: false };
  const closing = refs.length === 0 ? poll : await beforeWriting(parts, poll, null);
  const closed = refs.length === 0 ? 0 : await network.polls.closePostings({ refs, rev: nowMs(), reading });
  const failed = afterFailure(parts, closing, GONE, notBeforeMs);
  return { ...failed, isGone: true, closed, added: 0, changed: 0, skipped: 0, items: 0 };
}
