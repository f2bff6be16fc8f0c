import { happenedAtMs, searchableText, type Observation } from './observation.js';

/** One observation on its way into a store, with what stands beside its body there. */
export type Sighting = {
  readonly observation: Observation;
  /** Whether its revision is the time of the request for it (SRC-01). */
  readonly isAutomatic: boolean;
  /** From when on nothing finds it, in milliseconds; null: it is open. */
  readonly closedAtMs: number | null;
  /** Null for what was piped in. */
  readonly source: Reading | null;
};

/** The reading of a source that showed something. */
export type Reading = {
  readonly sourceId: string;
  /** By the clock of the service, in milliseconds. */
  readonly readAtMs: number;
  /** Whether what it shows has its own date: a bill for the whole past of a source is never made (SRC-02). */
  readonly isFirst: boolean;
};

/** What a store keeps of the sighting before. */
export type Kept = {
  readonly rev: number;
  readonly body: string;
  readonly isAutomatic: boolean;
  readonly closedAtMs: number | null;
  /** The date that windows go by; null: it is in none. */
  readonly atMs: number | null;
};

/**
 * What became of an observation in the store: newer than what was there, the same or older (`unchanged`), or
 * refused with the reason.
 */
export type WriteOutcome = 'accepted' | 'unchanged' | { readonly rejected: string };

/** What becomes of a sighting; `kept` is null for what was never seen. */
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
 * The date that windows go by, in milliseconds (SRC-02). What a source shows keeps the one of its first sight; later
 * than at a source's first reading, that is the time of the reading where the own date is earlier or not known. The first
 * sight of a post is the first one with a text: without a text nobody looks for it.
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

/** Whether its window date may be another one than its own (SRC-02). */
export function hasWindowDate({ kind }: Observation): boolean {
  return kind === 'post' || kind === 'job_posting' || kind === 'company_event';
}
