import type { JsonObject } from '#kernel/values/json.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { CursorScope, Cursors } from '#http/cursors.js';
import { detections, type DetectionDocument } from '#projections/signals/detections/detections.projection.js';
import { DEFAULT_LIMIT, plainFilters, type SignalFilterBody } from './signal-filter.body.js';
import { detectionsFilter, type SignalFilter } from './signal-filter.js';
import type { SignalWindow } from './signal-window.js';

/** Where a page starts: the window that the first page fixed, and the place behind which it goes on. */
type SignalPlace = {
  readonly window: SignalWindow;
  /** Detection date and id of the last row seen; null for the first page. */
  readonly after: readonly [detectedAt: string, id: number] | null;
};

/** The place that a cursor leads to. Throws `cursorRefused`. */
function placeOf(cursors: Cursors, scope: CursorScope, cursor: string): SignalPlace {
  const { keys, fixed } = cursors.decode(cursor, scope);
  const [detectedAt, id] = keys;
  if (typeof detectedAt !== 'string' || typeof id !== 'number') {
    throw new Error('a signed cursor of the signal queries holds other keys than they write');
  }
  return {
    window: {
      signalFrom: textOf(fixed, 'signalFrom'),
      signalTo: textOf(fixed, 'signalTo'),
      detectedFrom: textOf(fixed, 'detectedFrom'),
      detectedTo: textOf(fixed, 'detectedTo'),
    },
    after: [detectedAt, id],
  };
}

/** What the generations of the query differ in: which filters they know, and what these mean. */
export type SignalQuery<Body> = {
  /** What its cursors are bound to, with the workspace and the filters. */
  readonly endpoint: string;
  readonly workspaceId: number;
  readonly body: Body;
  readonly windowOf: () => SignalWindow | Promise<SignalWindow>;
  readonly filterOf: (window: SignalWindow) => Promise<SignalFilter>;
};

export type SignalPage = {
  readonly rows: readonly DetectionDocument[];
  readonly next: string | null;
};

/**
 * One page, most recently detected first, and the cursor of the next one. The first page fixes the window for
 * those that follow. Throws `cursorRefused` and what the two functions of the query throw.
 */
export async function querySignals<
  Body extends SignalFilterBody & { readonly cursor?: string; readonly limit?: number },
>(
  readModels: ReadModels,
  cursors: Cursors,
  { endpoint, workspaceId, body, windowOf, filterOf }: SignalQuery<Body>,
): Promise<SignalPage> {
  const { cursor, limit = DEFAULT_LIMIT, ...filters } = body;
  const scope: CursorScope = { endpoint, workspaceId, filters: plainFilters(filters) };
  const { window, after }: SignalPlace =
    cursor === undefined ? { window: await windowOf(), after: null } : placeOf(cursors, scope, cursor);
  const found = await readModels.find(detections, {
    ...detectionsFilter(await filterOf(window)),
    sort: [
      ['detectedAt', 'desc'],
      ['id', 'desc'],
    ],
    ...(after === null ? {} : { after }),
    // One more than asked for tells whether something follows.
    limit: limit + 1,
  });
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  if (last === undefined || found.length <= limit) return { rows, next: null };
  return { rows, next: cursors.encode(scope, { keys: [last.detectedAt, last.id], fixed: { ...window } }) };
}

function textOf(fixed: JsonObject, name: string): string | null {
  const value = fixed[name];
  return typeof value === 'string' ? value : null;
}
