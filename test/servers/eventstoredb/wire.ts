import { Metadata, status, type StatusObject } from '@grpc/grpc-js';
import shared, { type UUID } from '@eventstore/db-client/generated/shared_pb.js';
import statuses, { type Status } from '@eventstore/db-client/generated/status_pb.js';
import streams, { type ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';
import type { LoggedEvent } from './event-log.js';
import type { ServerState } from './server-state.js';

export const NO_POSITION = String(2n ** 64n - 1n);
const TICKS_PER_MS = 10_000n;

/** An error as the server raises it: the trailers contain the exception's name and facts. */
function rpcError(
  code: status,
  details: string,
  facts: { readonly [key: string]: string } = {},
): Partial<StatusObject> {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(facts)) metadata.set(key, value);
  return { code, details, metadata };
}

/** Records the credentials that a call brings with it. */
export function noteCredentials(state: ServerState, metadata: Metadata): void {
  state.seenCredentials.push(...metadata.get('authorization').map(String));
}

export const errors = {
  notReady: () => rpcError(status.UNAVAILABLE, 'Server Is Not Ready'),
  unavailable: () => rpcError(status.UNAVAILABLE, 'gone'),
  unimplemented: () => rpcError(status.UNIMPLEMENTED, 'Service is unimplemented.'),
  accessDenied: () => rpcError(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' }),
  tooSlow: () =>
    rpcError(
      status.ABORTED,
      'Operation timed out: Consumer too slow to handle event while live. Client resubscription required.',
    ),
  invalidPosition: () => rpcError(status.INVALID_ARGUMENT, 'Trying to read from an invalid position.'),
  unreadable: () => rpcError(status.UNKNOWN, 'Unexpected ReadAllResult: Error'),
  deleted: (stream: string) =>
    rpcError(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
      exception: 'stream-deleted',
      'stream-name': stream,
    }),
  notLeader: (host: string, port: number) =>
    rpcError(status.NOT_FOUND, 'Leader info available', {
      exception: 'not-leader',
      'leader-endpoint-host': host,
      'leader-endpoint-port': String(port),
    }),
};

/** The server's own status of one append in a batch, details packed by name. */
function refusal(message: string, name: string, details: { serializeBinary(): Uint8Array }): Status {
  const packed = new any.Any();
  packed.pack(details.serializeBinary(), name);
  return new statuses.Status().setMessage(message).setDetails(packed);
}

export const refusals = {
  wrongVersion: (actual: bigint | null): Status => {
    const details = new shared.WrongExpectedVersion();
    if (actual === null) details.setCurrentNoStream(new empty.Empty());
    else details.setCurrentStreamRevision(String(actual));
    return refusal('WrongExpectedVersion', 'event_store.client.WrongExpectedVersion', details);
  },
  tooLarge: (limit: number): Status =>
    refusal(
      'MaximumAppendSizeExceeded',
      'event_store.client.MaximumAppendSizeExceeded',
      new shared.MaximumAppendSizeExceeded().setMaxappendsize(limit),
    ),
  deleted: (): Status =>
    refusal('StreamDeleted', 'event_store.client.StreamDeleted', new shared.StreamDeleted()),
  accessDenied: (): Status =>
    refusal('AccessDenied', 'event_store.client.AccessDenied', new shared.AccessDenied()),
  timeout: (): Status => refusal('Timeout', 'event_store.client.Timeout', new shared.Timeout()),
  unknown: (): Status => refusal('Unknown', 'event_store.client.Unknown', new shared.Unknown()),
  badRequest: (message: string): Status =>
    refusal(message, 'event_store.client.BadRequest', new shared.BadRequest().setMessage(message)),
  internal: (): Status =>
    refusal(
      'Envelope callback expected either WriteEventsCompleted or NotHandled, received another instead.',
      'google.protobuf.Empty',
      new empty.Empty(),
    ),
  notReady: (): Status => refusal('Server Is Not Ready', 'google.protobuf.Empty', new empty.Empty()),
};

/** `isLink`: as the link whose target is gone; without a position as before 22.6. */
export function eventMessage(
  event: LoggedEvent,
  {
    withPosition = true,
    isLink = false,
  }: { readonly withPosition?: boolean; readonly isLink?: boolean } = {},
): ReadResp {
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(event.id))
    .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(event.stream)))
    .setStreamRevision(String(event.revision))
    .setCommitPosition(withPosition ? String(event.position) : NO_POSITION)
    .setPreparePosition(withPosition ? String(event.position) : NO_POSITION)
    .setData(event.data)
    .setCustomMetadata(event.metadata);
  recorded
    .getMetadataMap()
    .set('type', event.type)
    .set('created', String(BigInt(event.createdMs) * TICKS_PER_MS))
    .set('content-type', event.isJson ? 'application/json' : 'application/octet-stream');
  const read = new streams.ReadResp.ReadEvent();
  if (isLink) read.setLink(recorded);
  else read.setEvent(recorded);
  if (withPosition) read.setCommitPosition(String(event.position));
  else read.setNoPosition(new shared.Empty());
  return new streams.ReadResp().setEvent(read);
}

/** A position in the log: that of a record, or one between two records, which has no prepare position. */
export function checkpointMessage(commit: bigint, prepare = commit): ReadResp {
  const checkpoint = new streams.ReadResp.Checkpoint()
    .setCommitPosition(String(commit))
    .setPreparePosition(String(prepare));
  return new streams.ReadResp().setCheckpoint(checkpoint);
}

export function uuidText(id: UUID | undefined): string {
  return id?.getString() ?? '';
}

/** The same id in two halves, as the server writes ids that it has parsed. */
export function structuredUuid(text: string): UUID {
  const digits = text.replaceAll('-', '');
  const half = (from: number): string =>
    String(BigInt.asIntN(64, BigInt(`0x${digits.slice(from, from + 16)}`)));
  const halves = new shared.UUID.Structured()
    .setMostSignificantBits(half(0))
    .setLeastSignificantBits(half(16));
  return new shared.UUID().setStructured(halves);
}
