import type { Position } from '#kernel/ports/event-store.port.js';
import type { DeliveryOrder } from './delivery-order.js';
import type { Delivered, ReadSession } from './read-session.js';
import type { Subscription } from './subscription.js';

/** What a session has taken from its subscription at once. */
export type Taken = {
  /** Null if it would say nothing new. */
  readonly delivered: Delivered | null;
  readonly position: Position;
  /** Nothing is missing up to the end: of the log, or of what a finite read began with. */
  readonly isWhole: boolean;
  /** Every record that has arrived is taken. */
  readonly isDrained: boolean;
  /** The session has reached the end of the log. */
  readonly hasCaughtUp: boolean;
};

export type SessionIntake = {
  /** Null if the last record is gone: the server may have omitted what follows it. */
  readonly take: () => Taken | null;
};

/** Takes what the subscription of a session has received, as batches for the reader. */
export function sessionIntake(
  { after, size, finite, end, last, proven, announced }: ReadSession,
  subscription: Subscription,
  order: DeliveryOrder,
): SessionIntake {
  let reported = after;
  let hasSaidWhole = false;
  let hasCaughtUp = false;
  let isProven = false;

  const prove = (): void => {
    if (isProven || last === null || !order.beganWith(last.id)) return;
    isProven = true;
    proven();
  };
  const catchUp = (): void => {
    const isCaughtUp = subscription.isCaughtUp();
    order.reach(subscription.checkpoint());
    if (isCaughtUp) announced();
    if (isCaughtUp && end !== null) order.reach(end);
    hasCaughtUp = isCaughtUp || (end !== null && order.position() >= end);
  };
  // Without an end the session begins with the last record, and must see it before anything else.
  const isLastGone = (): boolean => end === null && !isProven && (hasCaughtUp || order.position() !== after);

  return {
    take: () => {
      const records = subscription.take(size);
      const events = order.take(records);
      prove();
      const isDrained = records.length < size;
      if (isDrained) catchUp();
      if (isLastGone()) return null;
      const position = order.position();
      // A finite read ends there, even if events are written meanwhile.
      const isWhole = finite && end !== null ? position >= end : isDrained && hasCaughtUp;
      const isNews = events.length > 0 || position !== reported || (isWhole && !hasSaidWhole);
      if (isNews) {
        reported = position;
        hasSaidWhole = isWhole;
      }
      const delivered = { batch: { events, position, caughtUp: isWhole }, last: order.last() };
      return { delivered: isNews ? delivered : null, position, isWhole, isDrained, hasCaughtUp };
    },
  };
}
