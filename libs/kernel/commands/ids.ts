import { randomUUID } from 'node:crypto';
import type { Clock } from '../ports/clock.js';
import { event } from '../events/event.js';
import { decodeEvent, encodeEvent } from '../events/event-codec.js';
import {
  StoreUnavailable,
  WrongExpectedRevision,
  type EventStore,
  type ExpectedRevision,
} from '../ports/event-store.port.js';
import { backoffMs, pause, type RetryPolicy } from './retry.js';
import { Type } from '../values/schema.js';

/** Kinds of integer ids; agents and signal setups share one (OP-09). */
export type SequenceKind =
  | 'agent'
  | 'run'
  | 'launch'
  | 'movement'
  | 'detection'
  | 'company'
  | 'lead'
  | 'content'
  | 'list'
  | 'member'
  | 'persona'
  | 'account'
  | 'contentRequest'
  | 'mapping'
  | 'partner'
  | 'workspace'
  | 'apiKey';

/**
 * Integer ids, global per kind and unique across processes; not chronological across them. Allocated before
 * a decision and recorded in its event, so a replay never allocates. Unused ids are lost, never reused.
 */
export interface Ids {
  next(kind: SequenceKind): Promise<number>;
  nextMany(kind: SequenceKind, count: number): Promise<readonly number[]>;
}

/** One of the ids that `nextMany` gave. Throws where it gave fewer than were asked for. */
export function allocatedId(ids: readonly number[], index: number): number {
  const id = ids[index];
  if (id === undefined) throw new Error('fewer ids were allocated than asked for');
  return id;
}

export const sequenceEvents = {
  BlockReserved: event(
    Type.Object({ first: Type.Integer({ minimum: 1 }), size: Type.Integer({ minimum: 1 }) }),
  ),
};

type Block = { next: number; end: number };

const RETRY: RetryPolicy = { tries: 50, firstDelayMs: 2, longestDelayMs: 100, patienceMs: 5_000 };
const FIRST_BLOCK = 20;
const LARGEST_BLOCK = 5_000;

/** Allocates from blocks that are reserved in `sequence-<kind>`; a block doubles while it is used up fast. */
export function createIds(eventStore: EventStore, clock: Clock): Ids {
  const blocks = new Map<SequenceKind, Block>();
  const sizes = new Map<SequenceKind, number>();
  const reservations = new Map<SequenceKind, Promise<void>>();

  async function reserve(kind: SequenceKind, atLeast: number): Promise<void> {
    const stream = `sequence-${kind}`;
    const size = Math.max(atLeast, sizes.get(kind) ?? FIRST_BLOCK);
    sizes.set(kind, Math.min(LARGEST_BLOCK, size * 2));
    const startedAt = performance.now();
    for (let attempt = 0; ; attempt += 1) {
      try {
        const { revision, first } = await nextFree(stream);
        const metadata = { actorKind: 'system', actorId: 'ids', commandId: randomUUID(), correlationId: '' };
        const reserved = encodeEvent(
          sequenceEvents,
          { type: 'BlockReserved', data: { first, size } },
          randomUUID(),
          {
            ...metadata,
            recordedAt: clock.now().toISOString(),
          },
        );
        await eventStore.append(stream, revision, [reserved]);
        blocks.set(kind, { next: first, end: first + size });
        return;
      } catch (error) {
        // An append of unknown outcome only loses its block: the next read starts behind it.
        const retryable = error instanceof WrongExpectedRevision || error instanceof StoreUnavailable;
        const isOver =
          attempt + 1 >= RETRY.tries || performance.now() - startedAt >= (RETRY.patienceMs ?? Infinity);
        if (!retryable || isOver) throw error;
        await pause(backoffMs(RETRY, attempt));
      }
    }
  }

  async function nextFree(
    stream: string,
  ): Promise<{ readonly revision: ExpectedRevision; readonly first: number }> {
    for await (const batch of eventStore.readStream(stream, { direction: 'backwards', maxCount: 1 })) {
      const [last] = batch;
      if (last === undefined) continue;
      const data = decodeEvent(sequenceEvents, last)?.data;
      const [first, size] = [data?.['first'], data?.['size']];
      if (typeof first !== 'number' || typeof size !== 'number')
        throw new Error(`${stream} holds a foreign event`);
      return { revision: last.revision, first: first + size };
    }
    return { revision: 'no-stream', first: 1 };
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
      // One reservation a kind at a time; whoever comes meanwhile waits for it and takes from its block.
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
