import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import streams, { type ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { LoggedEvent } from './event-log.js';
import { late } from './faults.js';
import { deliver, firstAt, type ReadCall } from './reading.js';
import type { ServerState } from './server-state.js';
import { checkpointMessage, errors, eventMessage, NO_POSITION } from './wire.js';

/** Events that the server buffers for a live subscriber before it drops it. */
const LIVE_BUFFER = 32;
/** Events that the server searches at a time. */
const SEARCH_WINDOW = 32;

/**
 * A filtered subscription: pages from a position (exclusive) to the end, then live events out of a small buffer. A
 * subscriber whose buffer is full is dropped, even if it is fast otherwise.
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
  const window = filter?.getMax() || SEARCH_WINDOW;
  const interval = (filter?.getCheckpointintervalmultiplier() ?? 1) * window;

  const at = options.getAll()?.getPosition();
  const from = at === undefined ? null : BigInt(at.getCommitPosition());
  state.seenSubscriptions.push({ from: from === null ? 'start' : String(from), prefixes, regex });
  const last = log.all.at(-1);
  // A position past the end counts as a future one; one inside a record does not.
  if (from !== null && last !== undefined && from <= last.position && !log.isPlace(from)) {
    return void call.emit('error', errors.invalidPosition());
  }
  let next = from === null ? 0 : firstAt(log.all, from);
  // Starts after the first record from there on, even if it is not the one of the position.
  if (from !== null && !faults.inclusiveResume) next = Math.min(next + 1, log.all.length);

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
    // A page may have contained events that the live buffer brings again once they are committed.
    if (event.position <= givenUpTo) return true;
    givenUpTo = event.position;
    if (matches(event)) {
      await late(faults, 'gapMs');
      sent += 1;
      state.traffic.sentEvents += 1;
      const isLink = event.stream === faults.lostTargetsIn;
      if (!(await deliver(call, eventMessage(event, { isLink })))) return false;
      const first = log.all[0];
      if (faults.goesBack && sent === 3 && first !== undefined) await deliver(call, eventMessage(first));
      if (faults.endAfterEvents !== null && sent >= faults.endAfterEvents) {
        call.end();
        return false;
      }
    }
    return true;
  };
  const mark = async (commit: bigint, prepare: bigint): Promise<boolean> => {
    if (filter === undefined) return true;
    state.traffic.checkpoints += 1;
    if (faults.checkpointsWithoutPosition) return deliver(call, checkpointMessage(BigInt(NO_POSITION)));
    if (!faults.checkpointAhead) return deliver(call, checkpointMessage(commit, prepare));
    const isThere = await deliver(call, checkpointMessage(log.all.at(-1)?.position ?? commit));
    // Enough time for the client to act on the checkpoint.
    for (let turn = 0; turn < 300; turn += 1) await setImmediate();
    return isThere;
  };

  // Page by page; after each interval a checkpoint at the last match of the page, or at the start of the page.
  while (next < log.all.length) {
    const page = log.all.slice(next, next + window);
    next += page.length;
    for (const event of page) if (!(await give(event))) return;
    considered += page.length;
    if (considered < interval || next >= log.all.length) continue;
    considered %= interval;
    const match = page.findLast(matches)?.position;
    const begin = page[0]?.position ?? 0n;
    if (!(await mark(match ?? begin, match ?? 0n))) return;
  }
  /** Events and, when none match, a checkpoint at one that does not match. */
  const buffer: { readonly event: LoggedEvent; readonly isMark: boolean }[] = [];
  let isTooSlow = false;
  let rouse = (): void => undefined;
  let isGone = false;
  const unsubscribe = log.onCommit((events) => {
    if (faults.deafWhenLive) return;
    for (const event of events) {
      if (isTooSlow) continue;
      considered += 1;
      const isDue = considered >= interval;
      if (isDue) considered = 0;
      if (matches(event)) buffer.push({ event, isMark: false });
      if (isDue) buffer.push({ event, isMark: true });
      if (buffer.length > LIVE_BUFFER) isTooSlow = true;
    }
    if (isTooSlow) buffer.length = Math.min(buffer.length, LIVE_BUFFER);
    rouse();
  });
  for (const ending of ['cancelled', 'close', 'error']) {
    call.once(ending, () => {
      isGone = true;
      rouse();
    });
  }
  try {
    // Nothing may be lost between the last page and the live buffer.
    buffer.push(
      ...log.all
        .slice(next)
        .filter(matches)
        .map((event) => ({ event, isMark: false })),
    );
    if (
      !faults.neverCaughtUp &&
      !(await deliver(call, new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp())))
    )
      return;
    while (!isGone && !call.cancelled) {
      const item = buffer.shift();
      if (item !== undefined) {
        const { event, isMark } = item;
        const early = faults.markBeforeEvent;
        if (early !== null && !isMark) {
          faults.markBeforeEvent = null;
          if (!(await deliver(call, checkpointMessage(event.position)))) return;
          for (let turn = 0; turn < 300; turn += 1) await setImmediate();
          if (early === 'the stream ends') return void call.end();
        }
        if (!(await (isMark ? mark(event.position, event.position) : give(event)))) return;
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
