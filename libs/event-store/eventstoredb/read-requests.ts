import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams, { type ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { Position } from '#kernel/ports/event-store.port.js';
import { logPosition } from './position-text.js';

export type ReadDirection = 'forwards' | 'backwards';

const { Options } = streams.ReadReq;
const empty = (): InstanceType<typeof shared.Empty> => new shared.Empty();

/** Reads at most so many events of a stream, from a revision or the end on. */
export function streamRequest(
  stream: string,
  from: bigint | 'end',
  direction: ReadDirection,
  count: number,
): ReadReq {
  const name = new shared.StreamIdentifier().setStreamName(Buffer.from(stream));
  const place = new Options.StreamOptions().setStreamIdentifier(name);
  if (from === 'end') place.setEnd(empty());
  else place.setRevision(from.toString());
  return finite(new Options().setStream(place), direction, count);
}

/** Reads at most so many records of the log, from a position or the end on. */
export function logRequest(from: Position | 'end', direction: ReadDirection, count: number): ReadReq {
  const place = from === 'end' ? new Options.AllOptions().setEnd(empty()) : placeIn(from);
  return finite(new Options().setAll(place), direction, count);
}

/** Subscribes to the records after one, of types that match: a regular expression, or beginnings of their names. */
export function subscriptionRequest(
  behind: Position,
  wanted: { readonly regex: string } | { readonly prefixes: readonly string[] },
  checkpointInterval: number,
): ReadReq {
  const expression = new Options.FilterOptions.Expression();
  if ('regex' in wanted) expression.setRegex(wanted.regex);
  else expression.setPrefixList([...wanted.prefixes]);
  const filter = new Options.FilterOptions()
    .setEventType(expression)
    .setCount(empty())
    .setCheckpointintervalmultiplier(checkpointInterval);
  const options = new Options().setAll(placeIn(behind)).setSubscription(new Options.SubscriptionOptions());
  return requestOf(options.setFilter(filter));
}

function placeIn(position: Position): InstanceType<typeof Options.AllOptions> {
  const at = logPosition(position);
  const place = new Options.AllOptions();
  if (at === 'start') return place.setStart(empty());
  return place.setPosition(
    new Options.Position().setCommitPosition(at.commit.toString()).setPreparePosition(at.prepare.toString()),
  );
}

function finite(options: ReadReq.Options, direction: ReadDirection, count: number): ReadReq {
  const number = direction === 'forwards' ? 0 : 1;
  return requestOf(options.setCount(String(count)).setReadDirection(number).setNoFilter(empty()));
}

/** Ids come as text. */
function requestOf(options: ReadReq.Options): ReadReq {
  const ids = new Options.UUIDOption().setString(empty());
  return new streams.ReadReq().setOptions(options.setResolveLinks(false).setUuidOption(ids));
}
