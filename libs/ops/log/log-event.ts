import type { EventStore, Position, StoredEvent } from '#kernel/ports/event-store.port.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { fieldError, refusal } from '#kernel/values/refusal.js';
import { JsonMembers, Nullable, Type } from '#kernel/values/schema.js';
import { eventCauses } from '#projections/operations/event-causes/event-causes.projection.js';
import { invalidInput } from '../support/amounts.js';
import { described } from '../support/inputs.js';
import { operatorCommand } from '../support/operator-command.js';
import { LoggedEvent, loggedEvent } from './logged-event.js';
import { StreamName } from './log-stream.js';

/** The maximum length of the chain of causes. */
const MOST_CAUSES = 20;
/** The maximum number of later events that one call reads to find the effects. */
const MOST_LOOKED_AT = 500;
const MOST_EFFECTS = 100;

const unknownEvent = refusal({
  code: 'unknown-event',
  kind: 'missing',
  detail: 'There is no event at this revision of a stream with this name.',
});

export const logEvent = operatorCommand({
  name: 'log.event',
  summary: 'Show one event with its chain of causes and its effects',
  input: Type.Object({
    stream: StreamName,
    revision: described('revision of the event in its stream', Type.Integer({ minimum: 0 })),
    effects_after: Type.Optional(
      described('continue the list of effects after this position', Type.String()),
    ),
  }),
  output: Type.Composite([
    LoggedEvent,
    Type.Object({
      event_id: Type.String(),
      data: JsonMembers,
      metadata: JsonMembers,
      /** The chain of causes, nearest first. */
      causes: Type.Array(LoggedEvent),
      /** Id of the event that caused the last of these and that is not among them; null: the chain is complete. */
      unknown_cause: Nullable(Type.String()),
      /** The events of the same command on this stream, written together. */
      same_command: Type.Array(LoggedEvent),
      /** The effects of this event, in order. */
      effects: Type.Array(LoggedEvent),
      effects_looked_at: Type.Integer({ minimum: 0 }),
      /** The value of `effects_after` for the next page; null at the end of the log. */
      effects_next: Nullable(Type.String()),
    }),
  ]),
  async run({ eventStore, readModels }, { stream, revision, effects_after: after }) {
    const event = await eventAt(eventStore, stream, revision);
    if (event === null) throw unknownEvent();
    // Stores write positions differently, and a position of another store or of a later log would be misread.
    if (after !== undefined && (await eventStore.lastEvent(after)) === null)
      throw invalidInput({
        errors: fieldError('effects_after', 'must be the position of an event of this log'),
      });
    const [chain, around, found] = await Promise.all([
      causesOf(eventStore, readModels, event),
      sameCommand(eventStore, event),
      effectsOf(eventStore, event, after ?? event.position),
    ]);
    return {
      ...loggedEvent(event),
      event_id: event.id,
      data: event.data,
      metadata: event.metadata,
      causes: chain.causes.map(loggedEvent),
      unknown_cause: chain.unknown,
      same_command: around.map(loggedEvent),
      effects: found.effects.map(loggedEvent),
      effects_looked_at: found.lookedAt,
      effects_next: found.next,
    };
  },
});

async function eventAt(events: EventStore, stream: string, revision: number): Promise<StoredEvent | null> {
  for await (const [event] of events.readStream(stream, { from: BigInt(revision), maxCount: 1 }))
    return event ?? null;
  return null;
}

/** The causes: an event names its cause by id, and the read model has the position of that event. */
async function causesOf(
  events: EventStore,
  readModels: ReadModels,
  event: StoredEvent,
): Promise<{ readonly causes: readonly StoredEvent[]; readonly unknown: string | null }> {
  const causes: StoredEvent[] = [];
  for (let at = event; causes.length < MOST_CAUSES;) {
    const id = at.metadata['causationId'];
    if (id === undefined) return { causes, unknown: null };
    const place = await readModels.get(eventCauses, id);
    const cause = place === null ? null : await eventAt(events, place.stream, place.revision);
    if (cause === null) return { causes, unknown: id };
    causes.push(cause);
    at = cause;
  }
  return { causes, unknown: causes.at(-1)?.metadata['causationId'] ?? null };
}

const BESIDE = 20;

/** The other events of its command among its neighbours on the stream. */
async function sameCommand(events: EventStore, event: StoredEvent): Promise<readonly StoredEvent[]> {
  const command = event.metadata['commandId'];
  const from = event.revision > BigInt(BESIDE) ? event.revision - BigInt(BESIDE) : 0n;
  const beside = [];
  for await (const batch of events.readStream(event.stream, { from, maxCount: 2 * BESIDE + 1 }))
    beside.push(...batch);
  return command === undefined
    ? []
    : beside.filter(({ metadata, id }) => id !== event.id && metadata['commandId'] === command);
}

/** The effects: events that name this event as their cause are later in the log. */
async function effectsOf(
  events: EventStore,
  event: StoredEvent,
  after: Position,
): Promise<{
  readonly effects: readonly StoredEvent[];
  readonly lookedAt: number;
  readonly next: string | null;
}> {
  const effects: StoredEvent[] = [];
  let lookedAt = 0;
  for await (const batch of events.readAll({ after, batchSize: MOST_LOOKED_AT })) {
    for (const each of batch.events) {
      lookedAt += 1;
      if (each.metadata['causationId'] === event.id) effects.push(each);
      if (lookedAt >= MOST_LOOKED_AT || effects.length >= MOST_EFFECTS)
        return { effects, lookedAt, next: each.position };
    }
  }
  return { effects, lookedAt, next: null };
}
