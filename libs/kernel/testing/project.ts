import type { EventMetadata } from '../ports/event-store.port.js';
import type { Recorded } from '../events/event.js';
import { canonicalJson, type JsonValue } from '../values/json.js';
import { foldInto, keysOf, type Projection } from '../projections/projection.js';

/** An event in a projection spec; missing members are filled in. */
export type HappenedEvent = {
  readonly type: string;
  readonly data: unknown;
  readonly metadata?: EventMetadata;
  readonly stream?: string;
  readonly id?: string;
};

/** The events with ids and positions in their order, and by default with the metadata of workspace 1. */
export function recordedInOrder(events: readonly HappenedEvent[]): readonly Recorded<unknown>[] {
  return events.map((event, index) => ({
    id: event.id ?? `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    type: event.type,
    data: event.data,
    metadata: event.metadata ?? { workspaceId: '1', recordedAt: '2026-01-05T10:00:00.000Z' },
    stream: event.stream ?? 'example-1',
    revision: BigInt(index),
    position: String(index).padStart(12, '0'),
  }));
}

/**
 * The documents by key after all events, by the plainest possible fold: the yardstick for the engine and the
 * way to test a projection. Every event comes twice, as a store that delivers at least once may do; folds and
 * keys are run twice on frozen input, so that one that changes its input or asks the clock fails here.
 */
export function foldAll<Document>(
  projection: Projection<Document>,
  events: readonly HappenedEvent[],
): Map<string, Document> {
  const documents = new Map<string, { readonly position: string; readonly document: Document | null }>();
  for (const event of recordedInOrder(events)) {
    if (projection.on[event.type] === undefined) continue;
    deepFreeze(event);
    for (const delivery of [event, event]) applyOnce(projection, documents, delivery);
  }
  const present = new Map<string, Document>();
  for (const [key, { document }] of documents) if (document !== null) present.set(key, document);
  return present;
}

function applyOnce<Document>(
  projection: Projection<Document>,
  documents: Map<string, { readonly position: string; readonly document: Document | null }>,
  event: Recorded<unknown>,
): void {
  const keys = keysOf(projection, event);
  expectSame(projection, event, keys, keysOf(projection, event));
  for (const key of keys) {
    const before = documents.get(key);
    if (before !== undefined && before.position >= event.position) continue;
    const input = (before?.document ?? null) as JsonValue | null;
    const after = foldInto(projection, input, event, key);
    expectSame(projection, event, after, foldInto(projection, input, event, key));
    documents.set(key, { position: event.position, document: deepFreeze(after) as Document | null });
  }
}

function expectSame(projection: Projection, event: Recorded<unknown>, first: unknown, second: unknown): void {
  if (canonicalJson(first) === canonicalJson(second)) return;
  throw new Error(`${projection.name} gives two answers for the same ${event.type}`);
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) deepFreeze(member);
  return value;
}
