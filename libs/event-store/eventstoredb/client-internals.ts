import type { Readable } from 'node:stream';
import type { EventStoreDBClient } from '@eventstore/db-client';
import { convertToCommandError } from '@eventstore/db-client/dist/utils/CommandError.js';
import grpcStreams from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import {
  appendMessage,
  appendRequest,
  readMessage,
  type AppendMessage,
  type CorrelatedAppend,
  type ReadMessage,
} from './server-messages.js';

/** The bidirectional stream that appends go through. */
export type BatchAppendCall = {
  readonly write: (request: CorrelatedAppend) => boolean;
  readonly end: () => void;
  readonly cancel: () => void;
  readonly on: {
    (event: 'data', listener: (answer: AppendMessage) => void): unknown;
    (event: 'error', listener: (error: Error) => void): unknown;
    (event: 'end', listener: () => void): unknown;
  };
};

/** Messages of one read or subscription. */
export type ReadCall = Readable & { readonly cancel: () => void };

type Write<Request> = (request: Request) => Buffer;
type Read<Answer> = (bytes: Buffer) => Answer;

/** The calls of gRPC itself, which the declaration of the client names by a package that it brings with it. */
type RawCalls = {
  readonly makeServerStreamRequest: <Request, Answer>(
    path: string,
    write: Write<Request>,
    read: Read<Answer>,
    request: Request,
    ...options: readonly unknown[]
  ) => ReadCall;
  readonly makeBidiStreamRequest: <Request, Answer>(
    path: string,
    write: Write<Request>,
    read: Read<Answer>,
    ...options: readonly unknown[]
  ) => BatchAppendCall;
};

/** Members that the pinned version of the client has and its declaration hides. */
type Internals = {
  readonly GRPCStreamCreator: <Call>(
    service: unknown,
    name: string,
    create: (client: RawCalls) => Call,
  ) => () => Promise<Call>;
  readonly callArguments: (options: object, call: object) => readonly unknown[];
  readonly getGRPCClient: (service: unknown, name: string) => Promise<{ readonly close: () => void }>;
};

const SERVICE = '/event_store.client.streams.Streams';

/**
 * Opens a stream for appends on the client's own connection, so that the client handles credentials, leader changes
 * and dispose. Its `appendToStream` is not used: it keeps all pending appends of the process in one map, crashes the
 * process when an answer arrives for an append that was rejected meanwhile, and waits without end on a silent server.
 */
export function openBatchAppendCall(client: EventStoreDBClient): Promise<BatchAppendCall> {
  return openCall(client, 'batchAppend', (raw, options) =>
    raw.makeBidiStreamRequest(`${SERVICE}/BatchAppend`, appendRequest, appendMessage, ...options),
  );
}

/** Opens a read or a subscription on the client's own connection. Its messages are those of `readMessage`. */
export function openReadCall(client: EventStoreDBClient, request: ReadReq): Promise<ReadCall> {
  return openCall(client, 'read', (raw, options) =>
    raw.makeServerStreamRequest<ReadReq, ReadMessage>(
      `${SERVICE}/Read`,
      (message) => Buffer.from(message.serializeBinary()),
      readMessage,
      request,
      ...options,
    ),
  );
}

function openCall<Call>(
  client: EventStoreDBClient,
  name: string,
  open: (raw: RawCalls, options: readonly unknown[]) => Call,
): Promise<Call> {
  const internals = client as unknown as Internals;
  return internals.GRPCStreamCreator(grpcStreams.StreamsClient, name, (raw) =>
    open(raw, internals.callArguments({}, { deadline: Infinity })),
  )();
}

/** The client's own kind of an error of gRPC. */
export const clientError: (error: Error) => Error = convertToCommandError;

/** `dispose` ends the streams of a client and leaves its connection open. */
export async function closeChannel(client: EventStoreDBClient): Promise<void> {
  const internals = client as unknown as Internals;
  (await internals.getGRPCClient(grpcStreams.StreamsClient, 'close')).close();
}
