import { START, type Position, type StoredEvent } from '#kernel/ports/event-store.port.js';
import type { Recorded } from '#kernel/events/event.js';
import type { JsonValue } from '#kernel/values/json.js';
import { foldInto, keysOf, type Projection } from '#kernel/projections/projection.js';
import type { GuardedDocument } from '#kernel/ports/read-store.port.js';
import { requireStorable } from './storable.js';
import { describeFailure, type Halt, type ParkedWorkspace } from './parked.js';
import type { ProjectedView } from './projected-view.js';

/**
 * Decodes a stored event for folds: checked and upcast to its newest version. Throws if the event is invalid; null if no
 * vocabulary knows the type.
 */
export type Decode = (event: StoredEvent) => Recorded<unknown> | null;

/** Whether a view folds an event; an event that it does not take is passed without being counted. */
export type Takes = (projection: Projection, event: StoredEvent) => boolean;

/** A document while a slice works on it. */
type Working = {
  position: Position;
  document: JsonValue | null;
  changed: boolean;
  /** The document as read; undefined if there was none. */
  readonly found: GuardedDocument | undefined;
};

/** One event for one projectedView: decoded with its keys, or the reason why it cannot be. */
type Step =
  | { readonly event: StoredEvent; readonly recorded: Recorded<unknown>; readonly keys: readonly string[] }
  | { readonly event: StoredEvent; readonly recorded: null; readonly failure: unknown };

/** The changes of a slice to one view, in memory until they are written. */
export type ViewSlice = {
  readonly projectedView: ProjectedView;
  readonly steps: Step[];
  readonly working: Map<string, Working>;
  /** Keys whose documents have to be read before the fold. */
  readonly missing: string[];
  readonly newlyParked: Map<string, ParkedWorkspace>;
  readonly parkedEvents: { readonly workspaceId: string; readonly event: StoredEvent }[];
  applied: number;
  ignored: number;
  halt: Halt | null;
  /** The last event handled; null before the first. */
  last: StoredEvent | null;
};

/** The projectedViews that handle an event type. */
export type Routes = ReadonlyMap<string, readonly ProjectedView[]>;

export function routesOf(projectedViews: readonly ProjectedView[]): Routes {
  const routes = new Map<string, ProjectedView[]>();
  for (const projectedView of projectedViews) {
    for (const type of Object.keys(projectedView.projection.on)) {
      const sharing = routes.get(type);
      if (sharing === undefined) routes.set(type, [projectedView]);
      else sharing.push(projectedView);
    }
  }
  return routes;
}

export function emptySlice(projectedView: ProjectedView): ViewSlice {
  return {
    projectedView,
    steps: [],
    working: new Map(),
    missing: [],
    newlyParked: new Map(),
    parkedEvents: [],
    applied: 0,
    ignored: 0,
    halt: null,
    last: null,
  };
}

export type PlannedSlice = {
  readonly slices: readonly ViewSlice[];
  /** The events that the slice has: the first ones of those that were given. */
  readonly events: readonly StoredEvent[];
};

/**
 * Decodes each event once and determines the documents that it changes in each projected view (by `key`). The slice ends
 * with the event that brings it to `mostDocuments`.
 */
export function planSlice(
  routes: Routes,
  events: readonly StoredEvent[],
  mostDocuments: number,
  decode: Decode,
  takes?: Takes,
): PlannedSlice {
  const slices = new Map<ProjectedView, ViewSlice>();
  let documents = 0;
  for (const [index, event] of events.entries()) {
    if (documents >= mostDocuments) return { slices: [...slices.values()], events: events.slice(0, index) };
    const projectedViews = routes.get(event.type);
    if (projectedViews === undefined) continue;
    let decoded: Step | null = null;
    for (const projectedView of projectedViews) {
      if (projectedView.halt !== null || event.position <= projectedView.position) continue;
      if (takes !== undefined && !takes(projectedView.projection, event)) continue;
      let slice = slices.get(projectedView);
      if (slice === undefined) slices.set(projectedView, (slice = emptySlice(projectedView)));
      decoded ??= decodeStep(event, decode);
      const before = slice.working.size;
      planStep(slice, decoded);
      documents += slice.working.size - before;
    }
  }
  return { slices: [...slices.values()], events };
}

export function decodeStep(event: StoredEvent, decode: Decode): Step {
  try {
    const recorded = decode(event);
    if (recorded === null) throw new Error(`no vocabulary knows ${event.type}`);
    return { event, recorded, keys: [] };
  } catch (failure) {
    return { event, recorded: null, failure };
  }
}

export function planStep(slice: ViewSlice, decoded: Step): void {
  if (decoded.recorded === null) {
    slice.steps.push(decoded);
    return;
  }
  const { event, recorded } = decoded;
  try {
    const keys = keysOf(slice.projectedView.projection, recorded);
    for (const key of keys) planDocument(slice, key);
    slice.steps.push({ event, recorded, keys });
  } catch (failure) {
    slice.steps.push({ event, recorded: null, failure });
  }
}

function planDocument({ projectedView, working, missing }: ViewSlice, key: string): void {
  if (key === '') throw new Error('a document cannot have an empty key');
  if (working.has(key)) return;
  const cached = projectedView.cache.get(key);
  working.set(key, {
    position: cached?.position ?? START,
    document: cached?.document ?? null,
    changed: false,
    found: cached,
  });
  if (cached === undefined && projectedView.cache.mayBeStored(key)) missing.push(key);
}

/** Passes the loaded documents to the fold; a document that was not found does not exist. */
export function takeLoaded(slice: ViewSlice, loaded: ReadonlyMap<string, GuardedDocument>): void {
  for (const stored of loaded.values()) {
    const { key, position, document } = stored;
    slice.projectedView.cache.put(stored);
    slice.working.set(key, { position, document, changed: false, found: stored });
  }
}

/**
 * Folds the planned events in order. If an event cannot be folded, its workspace is parked, and every later event of
 * a parked workspace is set aside; if the event has no workspace, the view is halted just before it.
 */
export function foldSlice(slice: ViewSlice): void {
  const { projectedView, newlyParked, parkedEvents } = slice;
  for (const step of slice.steps) {
    const { event } = step;
    const workspaceId = event.metadata['workspaceId'];
    const isParked =
      workspaceId !== undefined && (projectedView.parked.has(workspaceId) || newlyParked.has(workspaceId));
    if (isParked) {
      parkedEvents.push({ workspaceId, event });
    } else {
      try {
        foldStep(slice, step);
      } catch (error) {
        const failure = describeFailure(event, error);
        if (workspaceId === undefined) {
          slice.halt = failure;
          return;
        }
        newlyParked.set(workspaceId, { ...failure, workspaceId });
        parkedEvents.push({ workspaceId, event });
      }
    }
    slice.last = event;
  }
}

/**
 * Folds one event into all documents that it changes, or into none if a fold throws. An event counts as applied if it
 * has a document, even one that already contains it, so counts do not depend on repeated deliveries.
 */
export function foldStep(slice: ViewSlice, step: Step): void {
  if (step.recorded === null) throw step.failure;
  const { recorded, keys } = step;
  if (keys.length === 0) {
    slice.ignored += 1;
    return;
  }
  if (keys.length === 1) {
    for (const key of keys) keep(slice, key, recorded, folded(slice, key, recorded));
  } else {
    const results = keys.map((key) => folded(slice, key, recorded));
    keys.forEach((key, index) => keep(slice, key, recorded, results[index] ?? null));
  }
  slice.applied += 1;
}

function workingDocument(slice: ViewSlice, key: string): Working {
  const working = slice.working.get(key);
  if (working === undefined) throw new Error(`the document ${key} was not planned`);
  return working;
}

function folded(slice: ViewSlice, key: string, recorded: Recorded<unknown>): JsonValue | null {
  const { position, document } = workingDocument(slice, key);
  if (position >= recorded.position) return document;
  const result = foldInto(slice.projectedView.projection, document, recorded, key);
  if (result !== document) requireStorable(slice.projectedView.projection, result, document);
  return result;
}

function keep(slice: ViewSlice, key: string, recorded: Recorded<unknown>, result: JsonValue | null): void {
  const working = workingDocument(slice, key);
  // The same document again means that nothing changed: nothing to write.
  if (working.document === result) return;
  working.document = result;
  working.position = recorded.position;
  working.changed = true;
}

export function changedDocuments(slice: ViewSlice): readonly GuardedDocument[] {
  const changed: GuardedDocument[] = [];
  for (const [key, { position, document, changed: isChanged, found }] of slice.working) {
    if (!isChanged) continue;
    changed.push(
      found === undefined
        ? { key, position, document, isNew: true }
        : { key, position, document, isNew: false, replaces: found },
    );
  }
  return changed;
}
