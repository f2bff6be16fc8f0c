import { randomUUID } from 'node:crypto';
import type { EventStoreDBClient } from '@eventstore/db-client';
import { openBatchAppendCall, type BatchAppendCall } from './client-internals.js';
import { Silence } from './client-errors.js';
import type { SentAppend } from './serialized-append.js';
import type { AppendMessage } from './server-messages.js';

export type BatchAppends = {
  /**
   * Sends an append and resolves with the server's answer. Rejects when the stream ends first (the outcome is
   * unknown unless `neverSent`), and with `Silence` when no answer comes in time.
   */
  readonly send: (append: SentAppend, timeoutMs: number) => Promise<AppendMessage>;
  /** Rejects the pending appends; later answers are dropped. */
  readonly close: (reason: Error) => void;
};

type Pending = {
  readonly resolve: (answer: AppendMessage) => void;
  readonly reject: (error: Error) => void;
};

/** All appends of a client through one stream to the server, opened with the first append and again after each end. */
export function openBatchAppends(client: EventStoreDBClient): BatchAppends {
  let open: Promise<Lane> | null = null;
  const lane = (): Promise<Lane> => {
    if (open !== null) return open;
    const opening = openLane(client, () => {
      if (open === opening) open = null;
    });
    opening.catch(() => {
      if (open === opening) open = null;
    });
    open = opening;
    return opening;
  };
  let closed: Error | null = null;

  return {
    send: (append, timeoutMs) =>
      new Promise((resolve, reject) => {
        const correlationId = randomUUID();
        let giveUp = (): void => undefined;
        let isLate = false;
        const timer = setTimeout(() => {
          isLate = true;
          giveUp();
          reject(new Silence(`an append to ${append.stream}`, timeoutMs));
        }, timeoutMs);
        timer.unref();
        const settle: Pending = {
          resolve: (answer) => {
            clearTimeout(timer);
            resolve(answer);
          },
          reject: (error) => {
            clearTimeout(timer);
            reject(error);
          },
        };
        lane().then(({ pending, call }) => {
          if (closed !== null) return settle.reject(closed);
          if (isLate) return;
          pending.set(correlationId, settle);
          giveUp = () => pending.delete(correlationId);
          call.write({ correlationId, append });
        }, settle.reject);
      }),
    close: (reason) => {
      closed = reason;
      void open?.then(({ end }) => end(reason)).catch(() => undefined);
    },
  };
}

type Lane = {
  readonly call: BatchAppendCall;
  readonly pending: Map<string, Pending>;
  readonly end: (reason: Error) => void;
};

async function openLane(client: EventStoreDBClient, onEnd: () => void): Promise<Lane> {
  const call = await openBatchAppendCall(client);
  const pending = new Map<string, Pending>();
  const end = (reason: Error): void => {
    onEnd();
    for (const { reject } of pending.values()) reject(reason);
    pending.clear();
  };
  call.on('data', (answer) => {
    pending.get(answer.correlationId)?.resolve(answer);
    pending.delete(answer.correlationId);
  });
  call.on('error', end);
  // A server that ends the stream without an error has still not answered the pending appends.
  call.on('end', () => {
    end(new Error('the server ended the stream of appends'));
    call.end();
  });
  return { call, pending, end };
}
