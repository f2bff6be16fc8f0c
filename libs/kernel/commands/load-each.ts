import { randomUUID } from 'node:crypto';
import type { EventStore, StoredEvent, StreamEnd } from '../ports/event-store.port.js';
import { sideBySide } from '../values/side-by-side.js';
import type { CommandContext } from './decider.js';
import type { StreamQueue } from './stream-queue.js';
import type { Read } from './turn.js';

/** Streams that are probably without events. */
export type PresumedNew = {
  readonly ids: ReadonlySet<string>;
  /** How many of them are read first. If one of these has events, all are read. 0: none is read. */
  readonly sample: number;
};

/** The streams of one decider in the memory of this process. Each call counts as a use of the stream. */
export type Queues = {
  readonly streamOf: (id: string) => string;
  /** Only an idle queue may be dropped from memory, so ask for it right before it is used. */
  readonly queueOf: (id: string) => StreamQueue;
  /** True if this process knows nothing of the stream. */
  readonly isUnknown: (stream: string) => boolean;
};

type Wanted<State, Result> = {
  readonly ids: readonly string[];
  readonly read: Read<State, Result>;
  readonly presumed: PresumedNew | undefined;
};

/** Streams with fewer events are read together. */
const SHORT_STREAM = 16n;
const NO_EVENTS: ReadonlyMap<string, readonly StoredEvent[]> = new Map();

/** The implementation of `Commands.loadEach`. */
export async function loadEach<State, Result>(
  eventStore: EventStore,
  { streamOf, queueOf, isUnknown }: Queues,
  { ids, read, presumed }: Wanted<State, Result>,
): Promise<readonly Result[]> {
  const ends = await eventStore.ends(ids.map(streamOf));
  const isShort = ([, end]: readonly [string, StreamEnd | null]): boolean =>
    end !== null && end.revision < SHORT_STREAM;
  const unknown = [...ends].flatMap((each) => (isShort(each) && isUnknown(each[0]) ? [each[0]] : []));
  const whole = unknown.length === 0 ? NO_EVENTS : await eventStore.readWhole(unknown);

  const isUnproven = (id: string): boolean =>
    presumed?.ids.has(id) === true && ends.get(streamOf(id)) === undefined;
  const wantedSample = presumed?.sample ?? 0;
  const sample =
    wantedSample === 0
      ? []
      : ids.filter((id) => isUnproven(id) && isUnknown(streamOf(id))).slice(0, wantedSample);
  const readNow = (queue: StreamQueue): Promise<{ readonly answer: Result }> =>
    queue.read<State, Result>(read, readingContext());
  let areNew = true;
  const sampled = new Map(
    await sideBySide(sample, ids.length, async (id) => {
      const queue = queueOf(id);
      const found = await readNow(queue);
      areNew &&= queue.isWithoutEvents;
      return [id, found] as const;
    }),
  );

  const found = await sideBySide(ids, ids.length, async (id) => {
    const already = sampled.get(id);
    if (already !== undefined) return already;
    const queue = queueOf(id);
    const end = areNew && queue.isUnknown && isUnproven(id) ? null : ends.get(queue.stream);
    const events = end === null ? [] : whole.get(queue.stream);
    return (end === undefined ? null : queue.answerAt(read, end, events)) ?? readNow(queue);
  });
  return found.map(({ answer }) => answer);
}

/** A read also has a command id; no event carries it. */
export function readingContext(): CommandContext {
  const actor = { kind: 'system', id: 'load' } as const;
  return { commandId: randomUUID(), actor, workspaceId: null, correlationId: '' };
}
