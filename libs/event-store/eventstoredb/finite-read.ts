import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { StoreUnusable, type Position } from '#kernel/ports/event-store.port.js';
import { backoffMs, pause, type RetryPolicy } from '#kernel/commands/retry.js';
import { failureOf, readError, Silence } from './client-errors.js';
import { openReadCall } from './client-internals.js';
import type { ServerConnection } from './connection.js';
import { pull } from './pull.js';
import { logRequest, streamRequest, type ReadDirection } from './read-requests.js';
import type { DeliveredRecord, ReadMessage } from './server-messages.js';

export type StreamPage = {
  readonly stream: string;
  readonly from: bigint | 'end';
  readonly direction: ReadDirection;
  readonly count: number;
};

/** Finite reads, repeated on a new connection if the old one fails meanwhile. */
export type FiniteRead = {
  /** Empty for a stream that does not exist. */
  readonly streamPage: (page: StreamPage) => Promise<readonly DeliveredRecord[]>;
  /** The records from a position on (that record included), of any kind. */
  readonly logPage: (from: Position, count: number) => Promise<readonly DeliveredRecord[]>;
  /** The last records before a position, or before the end, newest first. */
  readonly logEnd: (before: Position | 'end', count: number) => Promise<readonly DeliveredRecord[]>;
};

const TRIES: RetryPolicy = { tries: 4, firstDelayMs: 50, longestDelayMs: 500 };
export function finiteRead(connection: ServerConnection, silenceMs: number): FiniteRead {
  async function collect(what: string, request: ReadReq, count: number): Promise<DeliveredRecord[]> {
    for (let attempt = 0; ; attempt += 1) {
      const line = connection.line();
      const opening = openReadCall(line.client, request);
      const reading = pull(opening, { itemOf: recordIn, most: count, stops: [line.lost] });
      const items: DeliveredRecord[] = [];
      try {
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
        // To cancel a call costs errors with stacks, in the client and in gRPC.
        reading.close(items.length >= count);
      }
      await pause(backoffMs(TRIES, attempt));
    }
  }

  return {
    streamPage: ({ stream, from, direction, count }) =>
      collect(`stream ${stream}`, streamRequest(stream, from, direction, count), count),
    logPage: (from, count) => collect('all events', logRequest(from, 'forwards', count), count),
    logEnd: (before, count) =>
      collect('the end of all events', logRequest(before, 'backwards', count), count),
  };
}

/** A stream that does not exist is announced, and the read is over. */
const recordIn = (message: ReadMessage): DeliveredRecord | null =>
  message.kind === 'record' ? message : null;
