import shared from '@eventstore/db-client/generated/shared_pb.js';
import statuses from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import fc from 'fast-check';
import { appendMessage, appendRequest, readMessage, type LogRecord } from './server-messages.js';

const { ReadResp, BatchAppendReq, BatchAppendResp } = streams;
const { RecordedEvent } = ReadResp.ReadEvent;
const MOST = 2n ** 64n - 1n;

const uint64 = fc.bigInt({ min: 0n, max: MOST });
const bytes = fc.uint8Array({ maxLength: 2_000 }).map((each) => Buffer.from(each));
const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const record: fc.Arbitrary<LogRecord> = fc.record({
  id: fc.uuid(),
  stream: text,
  type: text,
  contentType: fc.constantFrom('application/json', 'application/octet-stream'),
  revision: uint64,
  position: fc.record({ commit: uint64, prepare: uint64 }),
  data: bytes,
  metadata: bytes,
});

/** The same record as the classes write it that the client's makers generated from the server's declaration. */
function generated({ id, stream, type, contentType, revision, position, data, metadata }: LogRecord) {
  const event = new RecordedEvent()
    .setId(new shared.UUID().setString(id))
    .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(stream)))
    .setStreamRevision(revision.toString())
    .setCommitPosition(position.commit.toString())
    .setPreparePosition(position.prepare.toString())
    .setCustomMetadata(metadata)
    .setData(data);
  event.getMetadataMap().set('created', '17').set('type', type).set('content-type', contentType);
  return event;
}

const delivered = (message: InstanceType<typeof ReadResp>) =>
  readMessage(Buffer.from(message.serializeBinary()));

describe('messages of the server', () => {
  it('a delivered record is what the generated classes wrote, with its link', () => {
    fc.assert(
      fc.property(record, fc.option(record), (event, link) => {
        const message = new ReadResp.ReadEvent().setEvent(generated(event)).setCommitPosition('5');
        if (link !== null) message.setLink(generated(link));
        expect(delivered(new ReadResp().setEvent(message))).toEqual({ kind: 'record', event, link });
      }),
    );
  });

  it('a link whose target is gone has no event', () => {
    const [link] = fc.sample(record, { numRuns: 1, seed: 1 });
    const message = new ReadResp.ReadEvent().setLink(generated(link as LogRecord));
    expect(delivered(new ReadResp().setEvent(message))).toEqual({ kind: 'record', event: null, link });
  });

  it('an id in two halves is the id that was sent', () => {
    const halves = new shared.UUID.Structured()
      .setMostSignificantBits(BigInt.asIntN(64, 0xf47ac10b58cc4372n).toString())
      .setLeastSignificantBits(BigInt.asIntN(64, 0x0567000000000001n).toString());
    const answer = new BatchAppendResp().setCorrelationId(new shared.UUID().setStructured(halves));
    expect(appendMessage(Buffer.from(answer.serializeBinary())).correlationId).toBe(
      'f47ac10b-58cc-4372-0567-000000000001',
    );
  });

  it('announcements are distinguished, and unknown ones are skipped', () => {
    const checkpoint = new ReadResp.Checkpoint().setCommitPosition(String(MOST)).setPreparePosition('7');
    expect(delivered(new ReadResp().setCheckpoint(checkpoint))).toEqual({
      kind: 'checkpoint',
      position: { commit: MOST, prepare: 7n },
    });
    expect(delivered(new ReadResp().setCaughtUp(new ReadResp.CaughtUp()))).toEqual({ kind: 'caught up' });
    expect(delivered(new ReadResp().setFellBehind(new ReadResp.FellBehind()))).toEqual({
      kind: 'fell behind',
    });
    const confirmation = new ReadResp.SubscriptionConfirmation().setSubscriptionId('one');
    expect(delivered(new ReadResp().setConfirmation(confirmation))).toEqual({ kind: 'other' });
    expect(delivered(new ReadResp().setStreamNotFound(new ReadResp.StreamNotFound()))).toEqual({
      kind: 'other',
    });
  });

  it('the generated classes read an append as it was written', () => {
    const event = fc.record({ id: fc.uuid(), type: text, data: bytes, metadata: bytes });
    const revision = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
    const append = fc.record({
      stream: text,
      expected: fc.oneof(fc.constantFrom('no-stream' as const, 'any' as const), revision),
      events: fc.array(event, { minLength: 1, maxLength: 5 }),
      bytes: fc.constant(0),
    });
    fc.assert(
      fc.property(fc.uuid(), append, (correlationId, sent) => {
        const read = BatchAppendReq.deserializeBinary(appendRequest({ correlationId, append: sent }));
        const options = read.getOptions();
        expect({
          correlationId: read.getCorrelationId()?.getString(),
          isFinal: read.getIsFinal(),
          stream: Buffer.from(options?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString(),
          expected: options?.hasNoStream()
            ? 'no-stream'
            : options?.hasAny()
              ? 'any'
              : options?.hasStreamPosition() && BigInt(options.getStreamPosition()),
          events: read.getProposedMessagesList().map((message) => ({
            id: message.getId()?.getString(),
            type: message.getMetadataMap().get('type'),
            content: message.getMetadataMap().get('content-type'),
            data: Buffer.from(message.getData_asU8()),
            metadata: Buffer.from(message.getCustomMetadata_asU8()),
          })),
        }).toEqual({
          correlationId,
          isFinal: true,
          stream: sent.stream,
          expected: sent.expected,
          events: sent.events.map((each) => ({ ...each, content: 'application/json' })),
        });
      }),
    );
  });

  it('an answer has the revision and the position that the server wrote, or none', () => {
    const correlationId = 'f47ac10b-58cc-4372-0567-000000000001';
    const answer = (success: InstanceType<typeof BatchAppendResp.Success>) =>
      appendMessage(
        Buffer.from(
          new BatchAppendResp()
            .setCorrelationId(new shared.UUID().setString(correlationId))
            .setSuccess(success)
            .serializeBinary(),
        ),
      );
    const position = new shared.AllStreamPosition().setCommitPosition('12').setPreparePosition('11');
    const written = new BatchAppendResp.Success().setCurrentRevision('9007199254740993');
    expect(answer(written.clone().setPosition(position))).toEqual({
      correlationId,
      refusal: null,
      success: { revision: 9_007_199_254_740_993n, position: { commit: 12n, prepare: 11n } },
    });
    expect(answer(written).success?.position).toBeNull();
  });

  it('a refusal has the message of the server', () => {
    const refused = new BatchAppendResp().setError(new statuses.Status().setMessage('too large'));
    const { refusal, success } = appendMessage(Buffer.from(refused.serializeBinary()));
    expect([refusal?.getMessage(), success]).toEqual(['too large', null]);
  });
});
