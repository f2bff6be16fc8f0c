import { BACKWARDS, END, FORWARDS, START as FROM_START, type Direction } from '@eventstore/db-client';
import type { AllStreamResolvedEvent, ResolvedEvent } from '@eventstore/db-client';
import { StoreUnusable, type Position } from '#kernel/ports/event-store.port.js';
import { backoffMs, pause, type RetryPolicy } from '#kernel/commands/retry.js';
import { failureOf, readError, Silence } from './client-errors.js';
import type { ServerConnection, ClientLine } from './connection.js';
import { logPosition } from './position-text.js';
import { pull, type Pull } from './pull.js';

export type StreamPage = {
  readonly stream: string;
  readonly from: bigint | 'end';
  readonly direction: 'forwards' | 'backwards';
  readonly count: number;
};

/** Finite reads, repeated on a new connection if the old one fails meanwhile. */
export type FiniteRead = {
  /** Empty for a stream that does not exist. */
  readonly streamPage: (page: StreamPage) => Promise<readonly ResolvedEvent[]>;
  /** The records from a position on (that record included), of any kind. */
  readonly logPage: (from: Position, count: number) => Promise<readonly AllStreamResolvedEvent[]>;
  /** The last records before a position, or before the end, newest first. */
  readonly logEnd: (before: Position | 'end', count: number) => Promise<readonly AllStreamResolvedEvent[]>;
};

const TRIES: RetryPolicy = { tries: 4, firstDelayMs: 50, longestDelayMs: 500 };
const DIRECTIONS: { readonly [direction in StreamPage['direction']]: Direction } = {
  forwards: FORWARDS,
  backwards: BACKWARDS,
};

export function finiteRead(connection: ServerConnection, silenceMs: number): FiniteRead {
  async function collect<Item>(
    what: string,
    open: (line: ClientLine) => Pull<Item>,
    count: number,
  ): Promise<Item[]> {
    for (let attempt = 0; ; attempt += 1) {
      const line = connection.line();
      const reading = open(line);
      try {
        const items: Item[] = [];
        while (items.length < count) {
          const taken = reading.take(count - items.length);
          items.push(...taken);
          if (reading.isOver() || items.length >= count) break;
          if (!(await reading.arrival(silenceMs))) throw new Silence(what, silenceMs);
        }
        connection.worked();
        return items;
      } catch (error) {
        if (failureOf(error).type === 'stream-not-found') return [];
        connection.failed(line, error);
        const meaning = readError(error, what);
        const isLast = attempt + 1 >= TRIES.tries || error instanceof Silence || connection.isClosed();
        if (meaning instanceof StoreUnusable || isLast) throw meaning;
      } finally {
        reading.close();
      }
      await pause(backoffMs(TRIES, attempt));
    }
  }

  return {
    streamPage: ({ stream, from, direction, count }) =>
      collect(
        `stream ${stream}`,
        ({ client, lost }) => {
          const fromRevision = from === 'end' ? END : from;
          const read = client.readStream(
            stream,
            { fromRevision, direction: DIRECTIONS[direction], maxCount: count },
            { highWaterMark: count },
          );
          return pull<ResolvedEvent>(read, () => read.cancel(), [lost]);
        },
        count,
      ),
    logPage: (from, count) =>
      collect(
        'all events',
        ({ client, lost }) => {
          const at = logPosition(from);
          const fromPosition = at === 'start' ? FROM_START : at;
          const read = client.readAll({ fromPosition, maxCount: count }, { highWaterMark: count });
          return pull<AllStreamResolvedEvent>(read, () => read.cancel(), [lost]);
        },
        count,
      ),
    logEnd: (before, count) =>
      collect(
        'the end of all events',
        ({ client, lost }) => {
          const at = before === 'end' ? 'start' : logPosition(before);
          const fromPosition = at === 'start' ? END : at;
          const read = client.readAll(
            { fromPosition, direction: BACKWARDS, maxCount: count },
            { highWaterMark: count },
          );
          return pull<AllStreamResolvedEvent>(read, () => read.cancel(), [lost]);
        },
        count,
      ),
  };
}
