import { createHash } from 'node:crypto';
import { LOG_STREAM } from '#kernel/commands/log-identity.js';
import { isShortLived } from '#kernel/ports/short-lived.js';
import { START, type Position, type StoredEvent } from '#kernel/ports/event-store.port.js';
import { eventLine } from './event-line.js';

/** Recomputes the `hash` of an event of a category: ('' for the first, the event) => its seal. */
export type Seals = {
  readonly [category: string]: (previousHash: string, event: StoredEvent) => string;
};

/** A fault in a log. */
export type LogFault = {
  readonly stream: string | null;
  readonly revision: string | null;
  readonly what: string;
};

/** The end of a stream that is sealed. */
export type SealedHead = { readonly stream: string; readonly revision: string; readonly hash: string };

export type LogFacts = {
  readonly events: number;
  /** The recording time of the last event; null in an empty log. */
  readonly lastAt: string | null;
  readonly logId: string | null;
  /** Of every event in order, see `eventLine`. */
  readonly sha256: string;
  readonly heads: readonly SealedHead[];
  /** The first `MOST_FAULTS` of them. */
  readonly faults: readonly LogFault[];
};

export const MOST_FAULTS = 100;

export type LogProof = ReturnType<typeof logProof>;

/**
 * Takes the events of a log in order, without short-lived ones, and proves what can be proven without knowing their
 * meaning: order, revisions without a gap, hash chains, one identity. One entry per stream is in memory.
 */
export function logProof(seals: Seals) {
  const line = createHash('sha256');
  const next = new Map<string, bigint>();
  const hashes = new Map<string, string>();
  const faults: LogFault[] = [];
  let position: Position = START;
  let events = 0;
  let lastAt: string | null = null;
  let logId: string | null = null;

  const fault = ({ stream, revision }: StoredEvent, what: string): void => {
    if (faults.length < MOST_FAULTS) faults.push({ stream, revision: revision.toString(), what });
  };

  const prove = (event: StoredEvent): void => {
    const { stream, revision } = event;
    if (event.position <= position) fault(event, `is at ${event.position}, not after ${position}`);
    const expected = next.get(stream) ?? 0n;
    if (revision !== expected) fault(event, `revision ${expected} before it is missing`);
    if (stream === LOG_STREAM && logId !== null) fault(event, 'a second identity');
    const seal = seals[categoryOf(stream)];
    if (seal === undefined) return;
    const found = event.metadata['hash'] ?? '';
    if (seal(hashes.get(stream) ?? '', event) !== found)
      fault(event, 'its hash does not match the entry before it');
    hashes.set(stream, found);
  };

  return {
    add: (event: StoredEvent): void => {
      if (isShortLived(event.stream)) return;
      prove(event);
      if (event.stream === LOG_STREAM) logId ??= String(event.data['logId']);
      line.update(`${eventLine(event)}\n`);
      next.set(event.stream, event.revision + 1n);
      position = event.position;
      lastAt = event.metadata['recordedAt'] ?? lastAt;
      events += 1;
    },
    facts: (): LogFacts => ({
      events,
      lastAt,
      logId,
      sha256: line.copy().digest('hex'),
      heads: [...hashes].map(([stream, hash]) => ({
        stream,
        revision: ((next.get(stream) ?? 0n) - 1n).toString(),
        hash,
      })),
      faults,
    }),
  };
}

const categoryOf = (stream: string): string => stream.split('-', 1)[0] ?? '';
