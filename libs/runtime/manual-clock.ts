import { randomUUID } from 'node:crypto';
import type { Clock } from '#kernel/clock.js';
import { decodeEvent, encodeEvent } from '#kernel/event-codec.js';
import {
  StoreUnavailable,
  WrongExpectedRevision,
  type EventStore,
  type ExpectedRevision,
} from '#kernel/event-store.port.js';
import { pause } from '#kernel/retry.js';
import { clockEvents } from '#domain/clock/clock.events.js';

const STREAM = 'clock';
const TYPE = 'ClockSet';
const RETRY_MS = 250;

/** A clock that stands still until it is set; its value is in the event store, so that all processes agree. */
export type ManualClock = Clock & {
  readonly set: (now: Date) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Starts from the last ClockSet, or from the system's time, and follows what other processes set. */
export async function openManualClock(eventStore: EventStore): Promise<ManualClock> {
  const stopping = new AbortController();
  let now = new Date();
  let revision: ExpectedRevision = 'no-stream';

  async function read(): Promise<void> {
    for await (const batch of eventStore.readStream(STREAM, { direction: 'backwards', maxCount: 1 })) {
      const [last] = batch;
      const value = last === undefined ? undefined : decodeEvent(clockEvents, last)?.data['now'];
      if (last === undefined || typeof value !== 'string') continue;
      now = new Date(value);
      revision = last.revision;
    }
  }

  async function follow(after: string): Promise<void> {
    const { signal } = stopping;
    while (!signal.aborted) {
      try {
        for await (const batch of eventStore.subscribe({ after, types: [TYPE], signal })) {
          if (batch.events.length > 0) await read();
        }
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        await pause(RETRY_MS);
      }
    }
  }

  const head = await eventStore.head();
  await read();
  const following = follow(head);

  return {
    now: () => now,
    async set(next) {
      const metadata = {
        actorKind: 'operator',
        actorId: 'clock',
        commandId: randomUUID(),
        correlationId: '',
      };
      const data = { now: next.toISOString() };
      for (;;) {
        const event = encodeEvent(clockEvents, { type: TYPE, data }, randomUUID(), {
          ...metadata,
          recordedAt: next.toISOString(),
        });
        try {
          revision = (await eventStore.append(STREAM, revision, [event])).revision;
          now = next;
          return;
        } catch (error) {
          if (!(error instanceof WrongExpectedRevision)) throw error;
          await read();
        }
      }
    },
    async close() {
      stopping.abort();
      await following;
    },
  };
}
