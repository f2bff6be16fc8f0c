import type { Immutable } from '#kernel/events/event.js';
import type { JsonValue } from '#kernel/values/json.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { Id, Nullable, Timestamp, Type, type Static } from '#kernel/values/schema.js';
import { PAYLOADS } from '#signals/domain/runs/payload-facts.js';
import { DetectionAuthor, shortcutsIn } from '#signals/domain/runs/shortcut-facts.js';
import { SIGNAL_TYPES } from '#signals/domain/runs/signal-types.js';
import { cursorRefused } from '#http/cursors.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { cursorPageV2, CursorPageV2Of } from '#http/paging.js';
import { eachPage, ROW_TYPES, rowStream } from '#http/row-stream.js';
import type { TextAnswer } from '#http/text-answer.js';
import type { DetectionDocument } from '#projections/signals/detections/detections.projection.js';
import { FREE, pricesOfSignals, SignalPrice } from '#projections/signals/detections/signal-prices.js';
import { ShownProvenance, provenancesOf } from '#projections/sources/sources/provenance.js';
import { handle } from '../../handle.js';
import { companyFilterProblems } from './filtered-companies.js';
import { QuerySignalsBody } from './signal-filter.body.js';
import { querySignals, streamSignals, type SignalQuery } from './signal-page.js';
import { filterOfV2, windowOfV2 } from './v2-filter.js';

const nullableText = Nullable(Type.String());

/** Each payload once, with the signal types that have it. */
const payloads = [...new Set(Object.values(PAYLOADS))].map((payload) => {
  const types = SIGNAL_TYPES.filter((type) => PAYLOADS[type] === payload);
  return { ...payload, description: `The payload of ${types.map((type) => `\`${type}\``).join(', ')}.` };
});

const AnyPayload = Type.Unsafe<JsonValue>({
  anyOf: [...payloads, { type: ['object', 'array', 'string', 'number', 'boolean', 'null'], items: {} }],
});

const Detection = Type.Object(
  {
    id: Id,
    signal_type: nullableText,
    data: AnyPayload,
    detected_at: Nullable(Timestamp),
    signal_date: Nullable(Timestamp),
    lead_id: Nullable(Id),
    company_id: Nullable(Id),
    agent_id: Nullable(Id),
    source_url: nullableText,
    author: Nullable(DetectionAuthor),
    excerpt: nullableText,
    provenance: ShownProvenance,
    ...SignalPrice,
  },
  { title: 'Detection' },
);
type Detection = Immutable<Static<typeof Detection>>;
type DetectionPage = ReturnType<typeof cursorPageV2<Detection>> | TextAnswer;

@Endpoint({
  caller: 'apiKey',
  route: 'POST /api/v2/workspace/signals/query',
  summary: 'Query the signal detections of the workspace',
  description:
    'Most recently detected first. Without dates: signals of the last 90 days; at most 180 days back. A ' +
    'cursor is valid for the filters it was issued for; only the limit may change between pages. Includes ' +
    'free detections; `/api/v3/signals/query` returns those of top priority, in one shape for all types. ' +
    'With `Accept: application/x-ndjson` or `text/csv` the rows are streamed, at most 100,000; ' +
    '`Next-Cursor` is the cursor of the next request.',
  body: QuerySignalsBody,
  invalidBody: 400,
  readsOnly: true,
  response: CursorPageV2Of(Detection),
  otherTypes: ROW_TYPES,
  problems: [cursorRefused, ...companyFilterProblems],
})
export class QuerySignals extends EndpointQuery<DetectionPage, { body: QuerySignalsBody }> {}

handle(QuerySignals, async ({ workspaceId, body, mediaType }, ports) => {
  const { readModels, clock, cursors } = ports;
  const query: SignalQuery<QuerySignalsBody> = {
    endpoint: 'signals',
    workspaceId,
    body,
    windowOf: () => windowOfV2(readModels, workspaceId, body, clock.now()),
    filterOf: async (window) => ({
      ...(await filterOfV2(ports, workspaceId, body, window)),
      types: body.type ?? null,
    }),
  };
  const viewed = (rows: readonly DetectionDocument[]) => detectionViews(readModels, rows);
  if (mediaType !== null) {
    const { pages, next } = await streamSignals(readModels, cursors, query);
    return rowStream(mediaType, Detection, eachPage(pages, viewed), next);
  }
  const { rows, next } = await querySignals(readModels, cursors, query);
  return cursorPageV2(await viewed(rows), next);
});

async function detectionViews(
  readModels: ReadModels,
  rows: readonly DetectionDocument[],
): Promise<readonly Detection[]> {
  const [prices, provenances] = await Promise.all([
    pricesOfSignals(readModels, rows),
    provenancesOf(readModels, rows),
  ]);
  return rows.map((row, index) => ({
    ...detectionView(row),
    provenance: provenances[index] ?? [],
    ...(prices[index] ?? FREE),
  }));
}

function detectionView(
  detection: DetectionDocument,
): Omit<Detection, 'provenance' | keyof typeof SignalPrice> {
  const { sourceUrl, author, excerpt } = shortcutsIn(detection);
  return {
    id: detection.id,
    signal_type: detection.signalType,
    data: detection.data,
    detected_at: detection.detectedAt,
    signal_date: detection.signalDate,
    lead_id: detection.leadId,
    company_id: detection.companyId,
    agent_id: detection.sourceId,
    source_url: sourceUrl,
    author,
    excerpt,
  };
}
