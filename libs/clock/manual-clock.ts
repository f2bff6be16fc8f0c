import { randomUUID } from 'node:crypto';
import type { Clock } from '#kernel/ports/clock.js';
import { decodeEvent, encodeEvent } from '#kernel/events/event-codec.js';
import { StoreUnavailable, WrongExpectedRevision, type EventStore } from '#kernel/ports/event-store.port.js';
import { pause } from '#kernel/commands/retry.js';
import { clockEvents } from './clock.events.js';

const STREAM = 'clock';
const TYPE = 'ClockSet';
const RETRY_MS = 250;

/** A clock that changes only when it is set; its value is in the event store, so that all processes agree. */
export type ManualClock = Clock & {
  readonly set: (now: Date) => Promise<void>;
  /** Calls back whenever it was set, by whichever process. */
  readonly whenSet: (listener: () => void) => void;
  /** Resolves when it shows what was set before the call, by whichever process. */
  readonly catchUp: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/**
 * Starts from the last ClockSet and follows what other processes set. The first process to open it sets it to
 * the system's time, so that all of them agree from the beginning. `onTrouble` is called when following failed;
 * it is tried again.
 */
export async function openManualClock(
  eventStore: EventStore,
  onTrouble: (what: string, error: unknown) => void,
): Promise<ManualClock> {
  const stopping = new AbortController();
  const listeners: (() => void)[] = [];
  let now = new Date();
  let revision: bigint | 'no-stream' = 'no-stream';

  /** A change that was read or written here may arrive after a later change of another process: it is ignored. */
  function moveTo(next: Date, setAt: bigint): void {
    if (revision !== 'no-stream' && setAt <= revision) return;
    now = next;
    revision = setAt;
    for (const listener of listeners) listener();
  }

  async function read(): Promise<void> {
    for await (const batch of eventStore.readStream(STREAM, { direction: 'backwards', maxCount: 1 })) {
      const [last] = batch;
      const value = last === undefined ? undefined : decodeEvent(clockEvents, last)?.data['now'];
      if (last === undefined || typeof value !== 'string') continue;
      moveTo(new Date(value), last.revision);
    }
  }

  async function follow(after: string): Promise<void> {
    const { signal } = stopping;
    while (!signal.aborted) {
      try {
        const changes = eventStore.subscribe({ after, types: [TYPE], signal, onlyEvents: true });
        for await (const batch of changes) {
          if (batch.events.length > 0) await read();
        }
      } catch (error) {
        // Without following, the clocks of the processes would differ, so it continues after any error.
        if (!(error instanceof StoreUnavailable)) onTrouble('following the manual clock', error);
        await pause(RETRY_MS);
      }
    }
  }

  async function append(next: Date): Promise<void> {
    const metadata = {
      actorKind: 'operator',
      actorId: 'clock',
      commandId: randomUUID(),
      correlationId: '',
      recordedAt: next.toISOString(),
    };
    const data = { now: next.toISOString() };
    const event = encodeEvent(clockEvents, { type: TYPE, data }, randomUUID(), metadata);
    moveTo(next, (await eventStore.append(STREAM, revision, [event])).revision);
  }

  /** True when it was appended, false when another process was faster: its value is read then. */
  async function wasAppended(next: Date): Promise<boolean> {
    try {
      await append(next);
      return true;
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision)) throw error;
      await read();
      return false;
    }
  }

  const head = await eventStore.head();
  await read();
  if (revision === 'no-stream') await wasAppended(now);
  const following = follow(head);

  return {
    now: () => now,
    whenSet: (listener) => void listeners.push(listener),
    catchUp: read,
    async set(next) {
      while (!(await wasAppended(next)));
    },
    async close() {
      stopping.abort();
      await following;
    },
  };
}
