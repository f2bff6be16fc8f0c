import type { ServerWritableStream } from '@grpc/grpc-js';
import streams, { type ReadReq, type ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { LoggedEvent } from './event-log.js';
import { late, takeReadFault, type ReadFault } from './faults.js';
import type { ServerState } from './server-state.js';
import { subscribeToAll } from './subscribing.js';
import { errors, eventMessage, noteCredentials } from './wire.js';

export type ReadCall = ServerWritableStream<ReadReq, ReadResp>;

const BACKWARDS = 1;

export async function read(state: ServerState, call: ReadCall): Promise<void> {
  const options = call.request.getOptions();
  if (options === undefined) return void call.end();
  noteCredentials(state, call.metadata);
  await late(state.faults, 'callMs');
  const isSubscription = options.hasSubscription();
  const fault = takeReadFault(state.faults, isSubscription ? 'subscription' : 'read');
  if (fault !== null && !(isSubscription && fault === 'deaf')) return meetFault(call, fault);
  if (isSubscription) return subscribeToAll(state, call, options, fault === 'deaf');
  state.traffic.reads += 1;

  const isBackwards: boolean = options.getReadDirection() === BACKWARDS;
  const count = Number(options.getCount());
  const stream = options.getStream();
  if (stream !== undefined) {
    const name = Buffer.from(stream.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString();
    const events = state.log.visible(name);
    if (events === 'none') {
      const identifier = new shared.StreamIdentifier().setStreamName(Buffer.from(name));
      call.write(
        new streams.ReadResp().setStreamNotFound(
          new streams.ReadResp.StreamNotFound().setStreamIdentifier(identifier),
        ),
      );
      return void call.end();
    }
    if (events === 'deleted') return void call.emit('error', errors.deleted(name));
    const from = stream.hasRevision() ? BigInt(stream.getRevision()) : null;
    const wanted = isBackwards
      ? events.filter(({ revision }) => from === null || revision <= from).toReversed()
      : events.filter(({ revision }) => (from === null ? !stream.hasEnd() : revision >= from));
    return send(state, call, wanted.slice(0, count), !state.faults.withoutPositions);
  }
  // `$all` ignores a filter of the request; the client never sends one here.
  const at = options.getAll()?.getPosition();
  const position = at === undefined ? null : BigInt(at.getCommitPosition());
  const { all } = state.log;
  if (!isBackwards) {
    const from = position === null ? 0 : firstAt(all, position);
    return send(state, call, options.getAll()?.hasEnd() === true ? [] : all.slice(from, from + count));
  }
  if (position !== null && !state.log.isPlace(position)) return void call.emit('error', errors.unreadable());
  const before = position === null ? all.length : firstAt(all, position);
  return send(state, call, all.slice(Math.max(0, before - count), before).toReversed());
}

function meetFault(call: ReadCall, fault: ReadFault): void {
  switch (fault) {
    case 'silence':
    case 'deaf':
      return;
    case 'clean end':
      return void call.end();
    case 'unavailable':
      return void call.emit('error', errors.unavailable());
    case 'not ready':
      return void call.emit('error', errors.notReady());
    case 'access denied':
      return void call.emit('error', errors.accessDenied());
    case 'consumer too slow':
      return void call.emit('error', errors.tooSlow());
    case 'unreadable':
      return void call.emit('error', errors.unreadable());
  }
}

async function send(
  { faults }: ServerState,
  call: ReadCall,
  events: readonly LoggedEvent[],
  withPosition = true,
): Promise<void> {
  for (const event of events) {
    const isLink = event.stream === faults.lostTargetsIn;
    if (!(await deliver(call, eventMessage(event, { withPosition, isLink })))) return;
  }
  call.end();
}

/** Writes at the pace of the client; false when it has gone away. */
export async function deliver(call: ReadCall, message: ReadResp): Promise<boolean> {
  if (call.cancelled || call.destroyed) return false;
  if (!call.write(message)) {
    await new Promise<void>((resolve) => {
      const endings = ['drain', 'cancelled', 'close', 'error'];
      const done = (): void => {
        for (const ending of endings) call.removeListener(ending, done);
        resolve();
      };
      for (const ending of endings) call.on(ending, done);
    });
  }
  return !call.cancelled && !call.destroyed;
}

/** Index of the first event at or after a position. */
export function firstAt(all: readonly LoggedEvent[], position: bigint): number {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((all[middle] as LoggedEvent).position < position) low = middle + 1;
    else high = middle;
  }
  return low;
}
