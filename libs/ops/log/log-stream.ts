import { refusal } from '#kernel/values/refusal.js';
import { Nullable, Type } from '#kernel/values/schema.js';
import { described } from '../support/inputs.js';
import { operatorCommand } from '../support/operator-command.js';
import { LoggedEvent, loggedEvent } from './logged-event.js';

const AT_MOST = 100;

const unknownStream = refusal({
  code: 'unknown-stream',
  kind: 'missing',
  detail: 'There is no event on a stream with this name.',
});

export const StreamName = described(
  'name of the stream, as run-1_7',
  Type.String({ minLength: 1, maxLength: 300 }),
);

export const logStream = operatorCommand({
  name: 'log.stream',
  summary: 'List the events of one stream, newest first; before: continue after this revision',
  input: Type.Object({
    stream: StreamName,
    before: Type.Optional(described('continue before this revision', Type.Integer({ minimum: 0 }))),
    limit: Type.Optional(
      described('largest number of rows; default: 50', Type.Integer({ minimum: 1, maximum: AT_MOST })),
    ),
  }),
  output: Type.Object({
    stream: Type.String(),
    events: Type.Array(LoggedEvent),
    /** The value of `before` for the next page; null at the beginning of the stream. */
    next: Nullable(Type.Integer({ minimum: 0 })),
  }),
  async run({ eventStore }, { stream, before, limit = 50 }) {
    if (before === 0) return { stream, events: [], next: null };
    const from = before === undefined ? {} : { from: BigInt(before) - 1n };
    const events = [];
    for await (const batch of eventStore.readStream(stream, {
      ...from,
      direction: 'backwards',
      maxCount: limit,
    }))
      events.push(...batch);
    if (events.length === 0 && before === undefined) throw unknownStream();
    const first = events.at(-1);
    return {
      stream,
      events: events.map(loggedEvent),
      next: first === undefined || first.revision === 0n ? null : Number(first.revision),
    };
  },
});
