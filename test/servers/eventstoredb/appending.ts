import type { sendUnaryData, ServerDuplexStream, ServerReadableStream } from '@grpc/grpc-js';
import streams, {
  type AppendReq,
  type AppendResp,
  type BatchAppendReq,
  type BatchAppendResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import shared, { type StreamIdentifier } from '@eventstore/db-client/generated/shared_pb.js';
import { MAX_APPEND_BYTES, type Expected, type ProposedEvent, type WriteResult } from './event-log.js';
import { late, takeAppendFault } from './faults.js';
import type { ServerState } from './server-state.js';
import { errors, noteCredentials, refusals, structuredUuid, uuidText } from './wire.js';

type Message = {
  getId(): ReturnType<AppendReq.ProposedMessage['getId']>;
  getMetadataMap(): ReturnType<AppendReq.ProposedMessage['getMetadataMap']>;
  getData_asU8(): Uint8Array;
  getCustomMetadata_asU8(): Uint8Array;
};

type Collected = { readonly stream: string; readonly expected: Expected; readonly events: ProposedEvent[] };

/** The bidirectional stream: requests in pieces, an answer for each when its commit is on the disk. */
export function batchAppend(
  state: ServerState,
  call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>,
): void {
  if (state.faults.withoutBatches) return void call.emit('error', errors.unimplemented());
  noteCredentials(state, call.metadata);
  const open = new Map<string, Collected>();
  call.on('data', (request: BatchAppendReq) => {
    const id = uuidText(request.getCorrelationId());
    const options = request.getOptions();
    if (options !== undefined) {
      const expected: Expected = options.hasNoStream()
        ? 'no-stream'
        : options.hasAny()
          ? 'any'
          : options.hasStreamExists()
            ? 'exists'
            : BigInt(options.getStreamPosition());
      open.set(id, { stream: nameOf(options.getStreamIdentifier()), expected, events: [] });
    }
    const collected = open.get(id);
    if (collected === undefined) return;
    collected.events.push(...request.getProposedMessagesList().map(eventOf));
    if (!request.getIsFinal()) return;
    open.delete(id);

    const reply = (answer: BatchAppendResp): void => {
      answer.setCorrelationId(state.faults.structuredIds ? structuredUuid(id) : request.getCorrelationId());
      const stream = Buffer.from(collected.stream);
      if (!call.destroyed)
        call.write(answer.setStreamIdentifier(new shared.StreamIdentifier().setStreamName(stream)));
    };
    serve(state, collected, {
      result: (result) => reply(batchAnswer(result)),
      notReady: () => reply(new streams.BatchAppendResp().setError(refusals.notReady())),
      timeout: () => reply(new streams.BatchAppendResp().setError(refusals.timeout())),
      internal: () => reply(new streams.BatchAppendResp().setError(refusals.internal())),
      unknown: () => reply(new streams.BatchAppendResp().setError(refusals.unknown())),
      accessDenied: () => reply(new streams.BatchAppendResp().setError(refusals.accessDenied())),
      end: () => call.end(),
      fail: (error) => void call.emit('error', error),
    });
  });
  call.on('end', () => call.end());
}

/** The older way: one append per call. */
export function append(
  state: ServerState,
  call: ServerReadableStream<AppendReq, AppendResp>,
  callback: sendUnaryData<AppendResp>,
): void {
  let collected: Collected | null = null;
  call.on('data', (request: AppendReq) => {
    const options = request.getOptions();
    if (options !== undefined) {
      const expected: Expected = options.hasNoStream()
        ? 'no-stream'
        : options.hasAny()
          ? 'any'
          : options.hasStreamExists()
            ? 'exists'
            : BigInt(options.getRevision());
      collected = { stream: nameOf(options.getStreamIdentifier()), expected, events: [] };
    }
    const message = request.getProposedMessage();
    if (message !== undefined) collected?.events.push(eventOf(message));
  });
  call.on('end', () => {
    if (collected === null) return;
    serve(state, collected, {
      result: (result) => callback(null, singleAnswer(result)),
      notReady: () => callback(errors.notReady()),
      timeout: () => callback(errors.tooSlow()),
      internal: () => callback({ code: 13, details: 'internal' }),
      unknown: () => callback({ code: 2, details: 'unknown' }),
      accessDenied: () => callback(errors.accessDenied()),
      end: () => undefined,
      fail: (error) => callback(error),
    });
  });
}

type Replies = {
  readonly result: (result: WriteResult) => void;
  readonly notReady: () => void;
  readonly timeout: () => void;
  readonly internal: () => void;
  readonly unknown: () => void;
  readonly accessDenied: () => void;
  readonly end: () => void;
  readonly fail: (error: ReturnType<typeof errors.unavailable>) => void;
};

function serve(state: ServerState, collected: Collected, reply: Replies): void {
  if (state.faults.delays === null) return serveNow(state, collected, reply);
  void late(state.faults, 'callMs').then(() => serveNow(state, collected, reply));
}

function serveNow(state: ServerState, { stream, expected, events }: Collected, reply: Replies): void {
  state.seenAppends.push({ stream, expected, ids: events.map(({ id }) => id) });
  if (stream === '') return reply.unknown();
  const fault = takeAppendFault(state.faults);
  const write = (then: (result: WriteResult) => void): void => {
    const result = state.log.write(stream, expected, events);
    state.whenCommitted(() => then(result));
  };
  switch (fault) {
    case 'silence before the write':
      return;
    case 'clean end before the write':
      return reply.end();
    case 'kill before the write':
      return state.kill();
    case 'not leader':
      return reply.fail(errors.notLeader(state.leader.host, state.leader.port));
    case 'not ready':
      return reply.notReady();
    case 'unknown before the write':
      return reply.unknown();
    case 'access denied':
      return reply.accessDenied();
    case 'silence after the write':
      return write(() => undefined);
    case 'clean end after the write':
      return write(reply.end);
    case 'kill after the write':
      return write(state.kill);
    case 'break after the write':
      return write(() => reply.fail(errors.unavailable()));
    case 'timeout after the write':
      return write(reply.timeout);
    case 'internal error after the write':
      return write(reply.internal);
    case 'forgets ids':
      return write((result) => {
        if (result.kind !== 'written' || !result.isRepeat) return reply.result(result);
        reply.result({ kind: 'wrong version', actual: state.log.stream(stream).at(-1)?.revision ?? null });
      });
    case null:
      write(reply.result);
  }
}

function batchAnswer(result: WriteResult): BatchAppendResp {
  const answer = new streams.BatchAppendResp();
  switch (result.kind) {
    case 'written': {
      const position = new shared.AllStreamPosition()
        .setCommitPosition(String(result.position))
        .setPreparePosition(String(result.position));
      const success = new streams.BatchAppendResp.Success()
        .setCurrentRevision(String(result.revision))
        .setPosition(position);
      return answer.setSuccess(success);
    }
    case 'wrong version':
      return answer.setError(refusals.wrongVersion(result.actual));
    case 'deleted':
      return answer.setError(refusals.deleted());
    case 'too large':
      return answer.setError(refusals.tooLarge(MAX_APPEND_BYTES));
  }
}

function singleAnswer(result: WriteResult): AppendResp {
  const answer = new streams.AppendResp();
  if (result.kind === 'written') {
    const position = new streams.AppendResp.Position()
      .setCommitPosition(String(result.position))
      .setPreparePosition(String(result.position));
    return answer.setSuccess(
      new streams.AppendResp.Success().setCurrentRevision(String(result.revision)).setPosition(position),
    );
  }
  const wrong = new streams.AppendResp.WrongExpectedVersion();
  const actual = result.kind === 'wrong version' ? result.actual : null;
  if (actual === null) wrong.setCurrentNoStream(new shared.Empty());
  else wrong.setCurrentRevision(String(actual));
  return answer.setWrongExpectedVersion(wrong);
}

function nameOf(identifier: StreamIdentifier | undefined): string {
  return Buffer.from(identifier?.getStreamName_asU8() ?? []).toString();
}

function eventOf(message: Message): ProposedEvent {
  const facts = message.getMetadataMap();
  return {
    id: uuidText(message.getId()),
    type: facts.get('type') ?? '',
    isJson: facts.get('content-type') === 'application/json',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
}
