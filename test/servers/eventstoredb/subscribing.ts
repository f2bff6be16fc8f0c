import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import streams, { type ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { LoggedEvent } from './event-log.js';
import { deliver, firstAt, type ReadCall } from './reading.js';
import type { ServerState } from './server-state.js';
import { checkpointMessage, errors, eventMessage } from './wire.js';

/** Events that the server keeps for a live subscriber before it drops him. */
const LIVE_BUFFER = 32;
/** Events that the server looks through in one go. */
const SEARCH_WINDOW = 32;

/**
 * A filtered subscription: pages from a position (exclusive) to the end, then live events out of a small buffer.
 * A subscriber whose buffer is full is dropped, however fast it is otherwise.
 */
export async function subscribeToAll(
  state: ServerState,
  call: ReadCall,
  options: ReadReq.Options,
  isDeaf: boolean,
): Promise<void> {
  const { log, faults } = state;
  const filter = options.getFilter();
  const expression = filter?.getEventType() ?? filter?.getStreamIdentifier();
  const prefixes = expression?.getPrefixList() ?? [];
  const regex = expression?.getRegex() ?? '';
  const pattern = regex === '' ? null : new RegExp(regex, 'u');
  const isOnType = filter?.hasEventType() !== false;
  const matches = (event: LoggedEvent): boolean => {
    if (filter === undefined) return true;
    const text = isOnType ? event.type : event.stream;
    return pattern === null ? prefixes.some((prefix) => text.startsWith(prefix)) : pattern.test(text);
  };
  const interval = (filter?.getCheckpointintervalmultiplier() ?? 1) * (filter?.getMax() || SEARCH_WINDOW);

  const at = options.getAll()?.getPosition();
  const from = at === undefined ? null : BigInt(at.getCommitPosition());
  state.seenSubscriptions.push({ from: from === null ? 'start' : String(from), prefixes, regex });
  const last = log.all.at(-1);
  if (from !== null && (last === undefined || from > last.position)) {
    return void call.emit('error', errors.invalidPosition());
  }
  let next = from === null ? 0 : firstAt(log.all, from);
  if (from !== null && !faults.inclusiveResume) next += 1;

  state.traffic.subscriptions += 1;
  let isCounted = true;
  for (const ending of ['cancelled', 'close', 'error', 'finish']) {
    call.once(ending, () => {
      if (isCounted) state.traffic.subscriptions -= 1;
      isCounted = false;
    });
  }
  const confirmation = new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(randomUUID());
  if (!(await deliver(call, new streams.ReadResp().setConfirmation(confirmation)))) return;
  if (isDeaf) return;

  let considered = 0;
  let sent = 0;
  let givenUpTo = -1n;
  const give = async (event: LoggedEvent): Promise<boolean> => {
    // A page may have shown what the live buffer brings again once it is committed.
    if (event.position <= givenUpTo) return true;
    givenUpTo = event.position;
    considered += 1;
    if (matches(event)) {
      sent += 1;
      state.traffic.sentEvents += 1;
      if (!(await deliver(call, eventMessage(event)))) return false;
      const first = log.all[0];
      if (faults.goesBack && sent === 3 && first !== undefined) await deliver(call, eventMessage(first));
      if (faults.endAfterEvents !== null && sent >= faults.endAfterEvents) {
        call.end();
        return false;
      }
    }
    if (considered % interval === 0 && filter !== undefined) {
      if (!faults.checkpointAhead) return deliver(call, checkpointMessage(event.position));
      const isThere = await deliver(call, checkpointMessage(log.all.at(-1)?.position ?? event.position));
      // Time enough for the client to take the checkpoint for what it says.
      for (let turn = 0; turn < 300; turn += 1) await setImmediate();
      return isThere;
    }
    return true;
  };

  while (next < log.all.length) {
    const event = log.all[next] as LoggedEvent;
    next += 1;
    if (!(await give(event))) return;
  }
  const buffer: LoggedEvent[] = [];
  let isTooSlow = false;
  let rouse = (): void => undefined;
  let isGone = false;
  const unsubscribe = log.onCommit((events) => {
    if (faults.deafWhenLive) return;
    for (const event of events) {
      if (isTooSlow || !matches(event)) continue;
      if (buffer.length >= LIVE_BUFFER) isTooSlow = true;
      else buffer.push(event);
    }
    rouse();
  });
  for (const ending of ['cancelled', 'close', 'error']) {
    call.once(ending, () => {
      isGone = true;
      rouse();
    });
  }
  try {
    // Between the last page and the live buffer nothing may be lost.
    buffer.push(...log.all.slice(next).filter(matches));
    if (
      !faults.neverCaughtUp &&
      !(await deliver(call, new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp())))
    )
      return;
    while (!isGone && !call.cancelled) {
      const event = buffer.shift();
      if (event !== undefined) {
        if (!(await give(event))) return;
      } else if (isTooSlow) {
        return void call.emit('error', errors.tooSlow());
      } else {
        await new Promise<void>((resolve) => (rouse = resolve));
      }
    }
  } finally {
    unsubscribe();
  }
}
