import { Inject } from '@nestjs/common';
import { fieldError } from '#kernel/values/refusal.js';
import { Nullable, Type } from '#kernel/values/schema.js';
import { EventView, eventViews } from '#delivery/answers/event.view.js';
import { feedBeginsAt, feedEntry, feedPage, feedPoint, unknownCursor } from '#delivery/event-feed.js';
import { Endpoint, type EndpointRequest } from '#http/endpoint.js';
import type { TextAnswer } from '#http/text-answer.js';
import { cursorQuery, limitQuery, someOfQuery, textQuery, type ValuesOf } from '#http/parameters.js';
import { invalidRequest } from '#http/problem.js';
import { FEED_TYPES } from '#projections/delivery/event-feed/event-feed.projection.js';
import { PORTS, type ApiPorts } from '../ports.js';
import { EventStreams } from './event-streams.js';

const EventPage = Type.Object(
  {
    data: Type.Array(EventView),
    meta: Type.Object(
      {
        cursor: Type.Object(
          {
            /** The id of the last event of the page: the cursor of the next request, even if `has_more` is false. */
            next: Nullable(Type.String()),
            has_more: Type.Boolean(),
          },
          { title: 'EventCursor' },
        ),
      },
      { title: 'EventPageMeta' },
    ),
  },
  { title: 'EventPage' },
);
type Page = {
  readonly data: readonly EventView[];
  readonly meta: { readonly cursor: { readonly next: string | null; readonly has_more: boolean } };
};

const query = {
  cursor: cursorQuery(),
  type: someOfQuery(FEED_TYPES, 400),
  event: textQuery({ maximum: 100, invalid: 400 }),
  limit: limitQuery(),
};

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v3/events',
  summary: 'List the events of the workspace, in order',
  description:
    'Oldest first; without a cursor from 30 days ago. A cursor is the id of an event; it is valid with any ' +
    '`type` and as long as the event log exists. `meta.cursor.next` is the cursor for the next request, ' +
    'also at the end of the feed. `data` of an event is the present state of its object, as the API returns ' +
    'it; null if it was deleted. New types of events may be added: ignore unknown types. ' +
    '`event` returns one event by its id, or none, and `next` is null then; it is refused with `cursor` and ' +
    'for a stream. With `Accept: text/event-stream` the response is a stream of server-sent events that ' +
    'continues with new events: it begins after `Last-Event-ID`, otherwise after `cursor`.',
  query,
  response: EventPage,
  otherTypes: ['text/event-stream'],
  problems: [unknownCursor],
})
export class ListEventsEndpoint {
  constructor(
    @Inject(PORTS) private readonly ports: ApiPorts,
    private readonly streams: EventStreams,
  ) {}

  async handle(request: EndpointRequest<{ query: typeof query }>): Promise<Page | TextAnswer> {
    const { workspaceId, apiKeyId, lastEventId, mediaType, query: asked } = request;
    if (asked.event !== null) refuseBeside(asked.cursor, mediaType);
    if (mediaType === null) return eventPage(this.ports, workspaceId, asked);
    return this.streams.open({
      workspaceId,
      apiKeyId,
      types: asked.type,
      cursor: lastEventId ?? asked.cursor,
    });
  }
}

/** One event has no place from which a page or a stream could go on. */
function refuseBeside(cursor: string | null, mediaType: string | null): void {
  const other = cursor !== null ? 'cursor' : mediaType !== null ? 'a stream' : null;
  if (other !== null)
    throw invalidRequest('query', 400, fieldError('event', `cannot be combined with ${other}`));
}

async function eventPage(
  { eventFeed, clock }: ApiPorts,
  workspaceId: number,
  { cursor, type: types, event, limit }: ValuesOf<typeof query>,
): Promise<Page> {
  if (event !== null) {
    const named = await feedEntry(eventFeed, workspaceId, event);
    const found = named !== null && (types === null || types.includes(named.type)) ? named : null;
    const data = await eventViews(eventFeed, workspaceId, found === null ? [] : [found]);
    return { data, meta: { cursor: { next: found?.id ?? null, has_more: false } } };
  }
  const after = cursor === null ? null : await feedPoint(eventFeed, workspaceId, cursor);
  const since = feedBeginsAt(clock.now());
  const { entries, hasMore } = await feedPage(eventFeed, { workspaceId, types, after, since, limit });
  const data = await eventViews(eventFeed, workspaceId, entries);
  return { data, meta: { cursor: { next: entries.at(-1)?.id ?? cursor, has_more: hasMore } } };
}
