import { randomUUID } from 'node:crypto';
import type { Clock } from '../ports/clock.js';
import { event } from '../events/event.js';
import { decodeEvent, encodeEvent } from '../events/event-codec.js';
import {
  StoreUnavailable,
  WrongExpectedRevision,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
} from '../ports/event-store.port.js';
import { backoffMs, pause, type RetryPolicy } from './retry.js';
import { Type } from '../values/schema.js';

/** Kinds of integer ids; agents and signal setups share one (OP-09). */
export const SEQUENCE_KINDS = [
  'agent',
  'run',
  'launch',
  'movement',
  'detection',
  'company',
  'lead',
  'content',
  'list',
  'member',
  'persona',
  'account',
  'contentRequest',
  'mapping',
  'partner',
  'workspace',
  'source',
  'apiKey',
  'cap',
  'webhookEndpoint',
] as const;
export type SequenceKind = (typeof SEQUENCE_KINDS)[number];

/**
 * Integer ids, global per kind and unique across processes; not chronological across them. Allocated before
 * a decision and recorded in its event, so a replay never allocates. Unused ids are lost, never reused. `commandId`: the
 * command that records them, if a request sends several that need ids of this kind; a repetition of the request gets the
 * same ids for the same command.
 */
export interface Ids {
  next(kind: SequenceKind): Promise<number>;
  nextMany(kind: SequenceKind, count: number, commandId?: string): Promise<readonly number[]>;
}

/** One of the ids that `nextMany` returned. Throws if it returned fewer than requested. */
export function allocatedId(ids: readonly number[], index: number): number {
  const id = ids[index];
  if (id === undefined) throw new Error('fewer ids were allocated than requested');
  return id;
}

export const sequenceEvents = {
  BlockReserved: event(
    Type.Object({ first: Type.Integer({ minimum: 1 }), size: Type.Integer({ minimum: 1 }) }),
  ),
};

/**
 * The highest given id of each kind, stored apart from the log: if the log is reset to an older one, ids given since
 * must not be given again.
 */
export interface IdMarks {
  /** The highest id that may be in use; 0 if none is known. Does not reject. */
  highest(kind: SequenceKind): Promise<number>;
  /**
   * Notes that ids up to this one are about to be given. Does not reject: a mark that cannot be written now is
   * written with a later one.
   */
  raise(kind: SequenceKind, last: number): Promise<void>;
}

const NO_MARKS: IdMarks = { highest: async () => 0, raise: async () => undefined };

type Block = { next: number; end: number };

const RETRY: RetryPolicy = { tries: 50, firstDelayMs: 2, longestDelayMs: 100, patienceMs: 5_000 };
const FIRST_BLOCK = 20;
const LARGEST_BLOCK = 5_000;

/** Allocates from blocks that are reserved in `sequence-<kind>`; a block doubles while it is used up fast. */
export function createIds(eventStore: EventStore, clock: Clock, marks: IdMarks = NO_MARKS): Ids {
  const blocks = new Map<SequenceKind, Block>();
  const sizes = new Map<SequenceKind, number>();
  const reservations = new Map<SequenceKind, Promise<void>>();

  async function reserve(kind: SequenceKind, atLeast: number): Promise<void> {
    const stream = streamOf(kind);
    const size = Math.max(atLeast, sizes.get(kind) ?? FIRST_BLOCK);
    sizes.set(kind, Math.min(LARGEST_BLOCK, size * 2));
    const startedAt = performance.now();
    for (let attempt = 0; ; attempt += 1) {
      try {
        const highest = await marks.highest(kind);
        const { revision, last } = await sequenceHead(eventStore, kind);
        const first = Math.max(last, highest) + 1;
        await eventStore.append(stream, revision, [blockReserved(first, size, 'ids', clock)]);
        await marks.raise(kind, first + size - 1);
        blocks.set(kind, { next: first, end: first + size });
        return;
      } catch (error) {
        const isLast = attempt + 1 >= RETRY.tries;
        // Another process made progress: this is tried again after any time, because this process may have been paused.
        if (error instanceof WrongExpectedRevision) {
          if (isLast)
            throw new StoreUnavailable(`too many writers at once on ${stream}`, 'nothing-written', {
              cause: error,
            });
        } else {
          const isOver = isLast || performance.now() - startedAt >= (RETRY.patienceMs ?? Infinity);
          // An append of unknown outcome only loses its block: the next read starts behind it.
          if (!(error instanceof StoreUnavailable) || isOver) throw error;
        }
        await pause(backoffMs(RETRY, attempt));
      }
    }
  }

  function take(kind: SequenceKind, count: number): readonly number[] {
    const block = blocks.get(kind);
    if (block === undefined) return [];
    const taken = Math.min(count, block.end - block.next);
    const first = block.next;
    block.next += taken;
    return Array.from({ length: taken }, (_, index) => first + index);
  }

  async function nextMany(kind: SequenceKind, count: number): Promise<readonly number[]> {
    const ids: number[] = [...take(kind, count)];
    while (ids.length < count) {
      // One reservation per kind at a time; concurrent callers wait for it and take from its block.
      let reservation = reservations.get(kind);
      if (reservation === undefined) {
        reservation = reserve(kind, count - ids.length).finally(() => reservations.delete(kind));
        reservations.set(kind, reservation);
      }
      await reservation;
      ids.push(...take(kind, count - ids.length));
    }
    return ids;
  }

  return {
    nextMany,
    async next(kind) {
      const [id] = await nextMany(kind, 1);
      if (id === undefined) throw new Error(`no id of kind ${kind} was allocated`);
      return id;
    },
  };
}

/** The last id that a log has reserved of a kind; 0 if there is none. */
export async function lastReserved(
  eventStore: Pick<EventStore, 'readStream'>,
  kind: SequenceKind,
): Promise<number> {
  return (await sequenceHead(eventStore, kind)).last;
}

/** Skips so many ids of every kind: after a loss, the ids that were given are unknown. */
export async function skipIds(eventStore: EventStore, clock: Clock, count: number): Promise<void> {
  for (const kind of SEQUENCE_KINDS) {
    const { revision, last } = await sequenceHead(eventStore, kind);
    await eventStore.append(streamOf(kind), revision, [blockReserved(last + 1, count, 'skipped', clock)]);
  }
}

const streamOf = (kind: SequenceKind): string => `sequence-${kind}`;

function blockReserved(first: number, size: number, actorId: string, clock: Clock): NewEvent {
  const metadata = { actorKind: 'system', actorId, commandId: randomUUID(), correlationId: '' };
  return encodeEvent(sequenceEvents, { type: 'BlockReserved', data: { first, size } }, randomUUID(), {
    ...metadata,
    recordedAt: clock.now().toISOString(),
  });
}

async function sequenceHead(
  eventStore: Pick<EventStore, 'readStream'>,
  kind: SequenceKind,
): Promise<{ readonly revision: ExpectedRevision; readonly last: number }> {
  const stream = streamOf(kind);
  for await (const batch of eventStore.readStream(stream, { direction: 'backwards', maxCount: 1 })) {
    const [newest] = batch;
    if (newest === undefined) continue;
    const data = decodeEvent(sequenceEvents, newest)?.data;
    const [first, size] = [data?.['first'], data?.['size']];
    if (typeof first !== 'number' || typeof size !== 'number')
      throw new Error(`${stream} holds a foreign event`);
    return { revision: newest.revision, last: first + size - 1 };
  }
  return { revision: 'no-stream', last: 0 };
}
