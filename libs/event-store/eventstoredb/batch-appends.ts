import { randomUUID } from 'node:crypto';
import type { EventStoreDBClient } from '@eventstore/db-client';
import shared, { type UUID } from '@eventstore/db-client/generated/shared_pb.js';
import streams, { type BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { openBatchAppendCall, type BatchAppendCall } from './client-internals.js';
import { Silence } from './client-errors.js';
import type { SerializedServerAppend } from './serialized-append.js';

export type BatchAppends = {
  /**
   * Sends an append and resolves with the server's answer. Rejects when the stream ends first (the outcome is
   * unknown unless `neverSent`), and with `Silence` when no answer comes in time.
   */
  readonly send: (append: SerializedServerAppend, timeoutMs: number) => Promise<BatchAppendResp>;
  /** Rejects the pending appends; later answers are dropped. */
  readonly close: (reason: Error) => void;
};

type Pending = {
  readonly resolve: (answer: BatchAppendResp) => void;
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
          call.write(requestOf(append, correlationId));
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
    const id = uuidText(answer.getCorrelationId());
    pending.get(id)?.resolve(answer);
    pending.delete(id);
  });
  call.on('error', end);
  // A server that ends the stream without an error has still not answered the pending appends.
  call.on('end', () => {
    end(new Error('the server ended the stream of appends'));
    call.end();
  });
  return { call, pending, end };
}

function requestOf(append: SerializedServerAppend, correlationId: string): streams.BatchAppendReq {
  const options = new streams.BatchAppendReq.Options();
  options.setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(append.stream)));
  if (append.expected === 'no-stream') options.setNoStream(new shared.Empty());
  else options.setStreamPosition(append.expected.toString());
  const messages = append.events.map(({ id, type, data, metadata }) => {
    const message = new streams.BatchAppendReq.ProposedMessage();
    message.setId(new shared.UUID().setString(id));
    message.getMetadataMap().set('type', type).set('content-type', 'application/json');
    return message.setData(data).setCustomMetadata(metadata);
  });
  return new streams.BatchAppendReq()
    .setOptions(options)
    .setCorrelationId(new shared.UUID().setString(correlationId))
    .setProposedMessagesList(messages)
    .setIsFinal(true);
}

/** The server returns the id as it was sent, or in two halves after a timeout of the server. */
function uuidText(id: UUID | undefined): string {
  const halves = id?.getStructured();
  if (halves === undefined) return id?.getString() ?? '';
  const digits = [halves.getMostSignificantBits(), halves.getLeastSignificantBits()]
    .map((half) => BigInt.asUintN(64, BigInt(half)).toString(16).padStart(16, '0'))
    .join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
