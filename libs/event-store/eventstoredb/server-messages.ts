import statuses, { type Status } from '@eventstore/db-client/generated/status_pb.js';
import type { LogPosition } from './position-text.js';
import { WireReader, WireWriter } from './protobuf-wire.js';
import type { SentAppend } from './serialized-append.js';

/** A record of the server's log, of any writer. */
export type LogRecord = {
  readonly id: string;
  readonly stream: string;
  readonly type: string;
  readonly contentType: string;
  readonly revision: bigint;
  readonly position: LogPosition;
  readonly data: Buffer;
  readonly metadata: Buffer;
};

/** A record as it is delivered. */
export type DeliveredRecord = {
  /** Null for a link whose target is gone. */
  readonly event: LogRecord | null;
  readonly link: LogRecord | null;
};

/** One message of a read. */
export type ReadMessage =
  | ({ readonly kind: 'record' } & DeliveredRecord)
  | { readonly kind: 'checkpoint'; readonly position: LogPosition }
  | { readonly kind: 'caught up' | 'fell behind' | 'other' };

/** An append with the id that its answer repeats. */
export type CorrelatedAppend = { readonly correlationId: string; readonly append: SentAppend };

/** The server's answer to one append. */
export type AppendMessage = {
  readonly correlationId: string;
  readonly refusal: Status | null;
  /** The position is null if the server does not report it. */
  readonly success: { readonly revision: bigint; readonly position: LogPosition | null } | null;
};

/** A message of the call `Read`, with the field numbers of the server's `streams.proto`. */
export function readMessage(bytes: Buffer): ReadMessage {
  let found: ReadMessage = { kind: 'other' };
  const reader = new WireReader(bytes);
  reader.eachField((field) => {
    if (field === 1) found = { kind: 'record', ...deliveredIn(reader) };
    else if (field === 3) found = { kind: 'checkpoint', position: positionIn(reader) };
    else {
      if (field === 8) found = { kind: 'caught up' };
      if (field === 9) found = { kind: 'fell behind' };
      reader.skip();
    }
  });
  return found;
}

function deliveredIn(reader: WireReader): DeliveredRecord {
  let event: LogRecord | null = null;
  let link: LogRecord | null = null;
  reader.eachFieldInside((field) => {
    if (field === 1) event = recordIn(reader);
    else if (field === 2) link = recordIn(reader);
    else reader.skip();
  });
  return { event, link };
}

/** The content type of what this product writes. */
export const JSON_TYPE = 'application/json';

const NOTHING: Buffer = Buffer.alloc(0);

function recordIn(reader: WireReader): LogRecord {
  let id = '';
  let stream = '';
  let type = '';
  let contentType = '';
  let revision = 0n;
  let prepare = 0n;
  let commit = 0n;
  let data = NOTHING;
  let metadata = NOTHING;
  reader.eachFieldInside((field) => {
    if (field === 1) id = uuidIn(reader);
    else if (field === 2) stream = streamIn(reader);
    else if (field === 3) revision = reader.uint64();
    else if (field === 4) prepare = reader.uint64();
    else if (field === 5) commit = reader.uint64();
    else if (field === 6) {
      const [key, value] = entryIn(reader);
      if (key === 'type') type = value;
      if (key === 'content-type') contentType = value;
    } else if (field === 7) metadata = reader.bytes();
    else if (field === 8) data = reader.bytes();
    else reader.skip();
  });
  return { id, stream, type, contentType, revision, position: { commit, prepare }, data, metadata };
}

function streamIn(reader: WireReader): string {
  let stream = '';
  reader.eachFieldInside((field) => {
    if (field === 3) stream = reader.text();
    else reader.skip();
  });
  return stream;
}

/** An entry of the server's metadata. */
function entryIn(reader: WireReader): readonly [key: string, value: string] {
  let key = '';
  let value = '';
  reader.eachFieldInside((field) => {
    if (field === 1) key = reader.text();
    else if (field === 2) value = reader.text();
    else reader.skip();
  });
  return [key, value];
}

/** The server returns an id as it was sent, or in two halves after a timeout of the server. */
function uuidIn(reader: WireReader): string {
  let id = '';
  reader.eachFieldInside((field) => {
    if (field === 1) id = uuidOfHalves(reader);
    else if (field === 2) id = reader.text();
    else reader.skip();
  });
  return id;
}

function uuidOfHalves(reader: WireReader): string {
  const halves = ['', ''];
  reader.eachFieldInside((field) => {
    const half = reader.uint64();
    halves[field - 1] = half.toString(16).padStart(16, '0');
  });
  return halves.join('').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function positionIn(reader: WireReader): LogPosition {
  let commit = 0n;
  let prepare = 0n;
  reader.eachFieldInside((field) => {
    if (field === 1) commit = reader.uint64();
    else if (field === 2) prepare = reader.uint64();
    else reader.skip();
  });
  return { commit, prepare };
}

/** A message of the call `BatchAppend`. */
export function appendMessage(bytes: Buffer): AppendMessage {
  let correlationId = '';
  let refusal: AppendMessage['refusal'] = null;
  let success: AppendMessage['success'] = null;
  const reader = new WireReader(bytes);
  reader.eachField((field) => {
    if (field === 1) correlationId = uuidIn(reader);
    else if (field === 2) refusal = statuses.Status.deserializeBinary(reader.bytes());
    else if (field === 3) success = successIn(reader);
    else reader.skip();
  });
  return { correlationId, refusal, success };
}

function successIn(reader: WireReader): NonNullable<AppendMessage['success']> {
  let revision = 0n;
  let position: LogPosition | null = null;
  reader.eachFieldInside((field) => {
    if (field === 1) revision = reader.uint64();
    else if (field === 3) position = positionIn(reader);
    else reader.skip();
  });
  return { revision, position };
}

/** An append of one stream, complete in one message. */
export function appendRequest({ correlationId, append }: CorrelatedAppend): Buffer {
  const writer = new WireWriter();
  const uuid = (id: string): void => writer.inside(1, () => writer.text(2, id));
  const metadata = (key: string, value: string): void =>
    writer.inside(2, () => {
      writer.text(1, key);
      writer.text(2, value);
    });
  uuid(correlationId);
  writer.inside(2, () => {
    writer.inside(1, () => writer.text(3, append.stream));
    if (append.expected === 'no-stream') writer.inside(3, () => undefined);
    else if (append.expected === 'any') writer.inside(4, () => undefined);
    else writer.uint64(2, append.expected);
  });
  for (const event of append.events) {
    writer.inside(3, () => {
      uuid(event.id);
      metadata('type', event.type);
      metadata('content-type', JSON_TYPE);
      writer.bytes(3, event.metadata);
      writer.bytes(4, event.data);
    });
  }
  writer.uint64(4, 1n);
  return writer.message();
}
