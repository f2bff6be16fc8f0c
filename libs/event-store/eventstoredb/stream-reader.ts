import {
  StoreUnusable,
  type Position,
  type ReadStream,
  type StoredEvent,
} from '#kernel/ports/event-store.port.js';
import { isShortLived } from '#kernel/ports/short-lived.js';
import type { FiniteRead } from './finite-read.js';
import { ownEvent } from './recorded-event.js';
import { LAST_REVISION } from './serialized-append.js';

/** Events of one page: an append is at most half a megabyte, so this bounds the bytes as well. */
const PAGE = 256;

export type StreamReader = (stream: string, wanted?: ReadStream) => AsyncGenerator<readonly StoredEvent[]>;

/**
 * Reads streams page by page. A truncated stream, or one with events of other programs, is refused: a state folded
 * from a part of a stream would be wrong without a sign of it. The beginning of a short-lived stream is swept. `saw` is
 * called with the position of the last event of each page.
 */
export function streamReader(read: FiniteRead, saw: (position: Position) => void): StreamReader {
  async function* forwards(
    stream: string,
    from: bigint,
    most: number,
  ): AsyncGenerator<readonly StoredEvent[]> {
    let next = from;
    for (let left = most; left > 0 && next <= LAST_REVISION;) {
      const count = Math.min(PAGE, left);
      const page = await read.streamPage({ stream, from: next, direction: 'forwards', count });
      const events = page.map((resolved) => own(stream, ownEvent(resolved)));
      const [first] = events;
      if (next === from && first !== undefined && isShortLived(stream)) next = first.revision;
      for (const { revision } of events) {
        if (revision !== next) throw truncated(stream, next);
        next += 1n;
      }
      const last = events.at(-1);
      if (last !== undefined) {
        saw(last.position);
        yield events;
      }
      if (page.length < count) return;
      left -= page.length;
    }
  }

  async function* backwards(
    stream: string,
    from: bigint | 'end',
    most: number,
  ): AsyncGenerator<readonly StoredEvent[]> {
    let next = from;
    for (let left = most; left > 0;) {
      const count = Math.min(PAGE, left);
      const page = await read.streamPage({ stream, from: next, direction: 'backwards', count });
      const events = page.map((resolved) => own(stream, ownEvent(resolved)));
      for (const { revision } of events) {
        if (next !== 'end' && revision !== next) throw truncated(stream, next);
        next = revision - 1n;
      }
      const [last] = events;
      if (last !== undefined) {
        saw(last.position);
        yield events;
      }
      if (next === -1n || next === 'end') return;
      if (page.length < count && isShortLived(stream)) return;
      if (page.length < count) throw truncated(stream, next);
      left -= page.length;
    }
  }

  return async function* readStream(stream, wanted = {}) {
    const { direction = 'forwards', from, maxCount = Infinity } = wanted;
    // The server has no number below 0 for a revision.
    if (maxCount <= 0 || (from !== undefined && from < 0n)) return;
    if (direction === 'forwards') {
      yield* forwards(stream, from ?? 0n, maxCount);
      return;
    }
    if (from === undefined) {
      yield* backwards(stream, 'end', maxCount);
      return;
    }
    // The server searches a revision past the end page by page, so the end is passed to it.
    const [last] = await read.streamPage({ stream, from: 'end', direction: 'backwards', count: 1 });
    const end = last?.event?.revision;
    if (end !== undefined) yield* backwards(stream, from < end ? from : end, maxCount);
  };
}

function own(stream: string, event: StoredEvent | null): StoredEvent {
  if (event !== null) return event;
  throw new StoreUnusable(`the stream ${stream} holds an event that this product did not write`);
}

function truncated(stream: string, revision: bigint): StoreUnusable {
  return new StoreUnusable(`the stream ${stream} was cut on the server: event ${revision} is gone`);
}
