import { happenedAtMs, searchableText, type Observation } from './observation.js';

/** One observation to be stored, with its facts beside the body. */
export type Sighting = {
  readonly observation: Observation;
  /** Whether its revision is the time of the request (SRC-01). */
  readonly isAutomatic: boolean;
  /** The time from which it is closed, in milliseconds; null: it is open. */
  readonly closedAtMs: number | null;
  /** Null if it was ingested from a stream. */
  readonly source: Reading | null;
};

/** The reading of a source. */
export type Reading = {
  readonly sourceId: string;
  /** In product time, in milliseconds. */
  readonly readAtMs: number;
  /** Whether its items keep their own dates: the whole past of a new source is never charged (SRC-02). */
  readonly isFirst: boolean;
};

/** What a store has of the previous sighting. */
export type Kept = {
  readonly rev: number;
  readonly body: string;
  readonly isAutomatic: boolean;
  readonly closedAtMs: number | null;
  /** The date of the window; null: it is in no window. */
  readonly atMs: number | null;
};

/**
 * The result of writing an observation: newer than the stored one, equal or older (`unchanged`), or refused with the
 * reason.
 */
export type WriteOutcome = 'accepted' | 'unchanged' | { readonly rejected: string };

/** The result for a sighting; `kept` is null if it was never observed. */
export function outcomeOf(kept: Kept | null, sighting: Sighting): WriteOutcome {
  if (kept === null) return 'accepted';
  const { observation, isAutomatic } = sighting;
  const { kind, ref, rev } = observation;
  if (kept.isAutomatic !== isAutomatic) {
    const [given, had] = isAutomatic ? ['auto', 'numbers'] : [`rev ${rev}`, 'auto'];
    return { rejected: `${given} of ${kind} ${ref}: its revisions are ${had}` };
  }
  if (rev < kept.rev) return 'unchanged';
  const isSame =
    kept.closedAtMs === sighting.closedAtMs &&
    JSON.stringify(isAutomatic ? { ...observation, rev: kept.rev } : observation) === kept.body;
  if (isAutomatic) return isSame || rev === kept.rev ? 'unchanged' : 'accepted';
  if (rev > kept.rev) return 'accepted';
  return isSame
    ? 'unchanged'
    : { rejected: `rev ${rev} of ${kind} ${ref} was already observed with other content` };
}

/**
 * The date of the window, in milliseconds (SRC-02). An item of a source keeps the date of its first sighting. If the
 * first sighting is not in the first reading of the source, that is the time of the reading, unless the own date is
 * later. The first sighting of a post is the first with a text, because a post without a text is not searched.
 */
export function windowAtMs(kept: Kept | null, { observation, source }: Sighting): number | null {
  const ownMs = happenedAtMs(observation);
  if (source === null || !hasWindowDate(observation)) return ownMs;
  const isFirstText = kept !== null && observation.kind === 'post' && isWithoutText(kept);
  if (kept !== null && !isFirstText) return kept.atMs;
  return source.isFirst ? ownMs : Math.max(ownMs ?? source.readAtMs, source.readAtMs);
}

function isWithoutText({ body }: Kept): boolean {
  const observation: Observation = JSON.parse(body);
  return searchableText(observation) === null;
}

/** Whether its window date may differ from its own date (SRC-02). */
export function hasWindowDate({ kind }: Observation): boolean {
  return kind === 'post' || kind === 'job_posting' || kind === 'company_event';
}
