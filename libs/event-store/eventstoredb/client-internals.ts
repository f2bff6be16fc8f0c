import type { EventStoreDBClient } from '@eventstore/db-client';
import grpcStreams, { type StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';

/** The bidirectional stream that appends go through. */
export type BatchAppendCall = {
  readonly write: (request: BatchAppendReq) => boolean;
  readonly end: () => void;
  readonly cancel: () => void;
  readonly on: {
    (event: 'data', listener: (answer: BatchAppendResp) => void): unknown;
    (event: 'error', listener: (error: Error) => void): unknown;
    (event: 'end', listener: () => void): unknown;
  };
};

/** Members that the pinned version of the client has and its declaration hides. */
type Internals = {
  readonly GRPCStreamCreator: (
    service: unknown,
    name: string,
    create: (client: StreamsClient) => unknown,
  ) => () => Promise<unknown>;
  readonly callArguments: (options: object, call: object) => readonly unknown[];
  readonly getGRPCClient: (service: unknown, name: string) => Promise<{ readonly close: () => void }>;
};

/**
 * Opens a stream for appends on the client's own connection, so that the client handles credentials, leader changes
 * and dispose. Its `appendToStream` is not used: it keeps all pending appends of the process in one map, crashes the
 * process when an answer arrives for an append that was rejected meanwhile, and waits without end on a silent server.
 */
export async function openBatchAppendCall(client: EventStoreDBClient): Promise<BatchAppendCall> {
  const internals = client as unknown as Internals;
  const call = internals.GRPCStreamCreator(grpcStreams.StreamsClient, 'batchAppend', (streams) => {
    const method = streams.batchAppend.bind(streams) as (...options: readonly unknown[]) => unknown;
    return method(...internals.callArguments({}, { deadline: Infinity }));
  });
  return (await call()) as BatchAppendCall;
}

/** `dispose` ends the streams of a client and leaves its connection open. */
export async function closeChannel(client: EventStoreDBClient): Promise<void> {
  const internals = client as unknown as Internals;
  (await internals.getGRPCClient(grpcStreams.StreamsClient, 'close')).close();
}
