import { Nullable, Type } from '#kernel/values/schema.js';
import { described } from '../support/inputs.js';
import { operatorCommand } from '../support/operator-command.js';
import { LoggedEvent, loggedEvent } from './logged-event.js';

/** The maximum number of events that one call reads to find the requested ones. */
const MOST_LOOKED_AT = 1_000;
const AT_MOST = 100;

export const logList = operatorCommand({
  name: 'log.list',
  summary: 'List the newest events of the log; before: continue after this position',
  input: Type.Object({
    before: Type.Optional(described('continue before this position', Type.String())),
    type: Type.Optional(described('only events of this type', Type.String())),
    workspace_id: Type.Optional(described('only events of this workspace', Type.Integer({ minimum: 1 }))),
    limit: Type.Optional(
      described('largest number of rows; default: 50', Type.Integer({ minimum: 1, maximum: AT_MOST })),
    ),
  }),
  output: Type.Object({
    events: Type.Array(LoggedEvent),
    /** The number of events that were read to find these, newest first. */
    looked_at: Type.Integer({ minimum: 0 }),
    /** The value of `before` for the next page; null at the beginning of the log. */
    next: Nullable(Type.String()),
  }),
  async run({ eventStore }, { before, type, workspace_id: workspaceId, limit = 50 }) {
    const isNarrowed = type !== undefined || workspaceId !== undefined;
    const wanted = isNarrowed ? MOST_LOOKED_AT : limit;
    const found = await eventStore.readBack(before ?? null, wanted + 1);
    const looked = found.slice(0, wanted);
    const matching = looked.filter(
      (event) =>
        (type === undefined || event.type === type) &&
        (workspaceId === undefined || event.metadata['workspaceId'] === String(workspaceId)),
    );
    const events = matching.slice(0, limit);
    const isCut = matching.length > limit;
    const last = isCut ? events.at(-1) : looked.at(-1);
    return {
      events: events.map(loggedEvent),
      looked_at: isCut ? looked.findIndex((event) => event === last) + 1 : looked.length,
      next: last !== undefined && (isCut || found.length > wanted) ? last.position : null,
    };
  },
});
