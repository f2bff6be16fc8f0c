import type { JsonObject } from '#kernel/json.js';
import type { ReadModels } from '#kernel/read-store.port.js';
import type { CursorScope, Cursors } from '#http/cursors.js';
import { detections, type DetectionDocument } from '#projections/detections/detections.projection.js';
import { detectionsFilter, type SignalFilter } from './signal-filter.js';
import type { SignalWindow } from './signal-window.js';

/** Where a page starts: the window that the first page fixed, and the place behind which it goes on. */
export type SignalPlace = {
  readonly window: SignalWindow;
  /** Detection date and id of the last row seen; null for the first page. */
  readonly after: readonly [detectedAt: string, id: number] | null;
};

/** The place that a cursor leads to. Throws `cursorRefused`. */
export function placeOf(cursors: Cursors, scope: CursorScope, cursor: string): SignalPlace {
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

export type SignalPage = {
  readonly rows: readonly DetectionDocument[];
  readonly next: string | null;
};

/** One page, most recently detected first, and the cursor of the next one. */
export async function findSignals(
  readModels: ReadModels,
  cursors: Cursors,
  scope: CursorScope,
  filter: SignalFilter,
  { after, limit }: { readonly after: SignalPlace['after']; readonly limit: number },
): Promise<SignalPage> {
  const found = await readModels.find<DetectionDocument>(detections, {
    ...detectionsFilter(filter),
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
  const fixed: JsonObject = { ...filter.window };
  return { rows, next: cursors.encode(scope, { keys: [last.detectedAt, last.id], fixed }) };
}

function textOf(fixed: JsonObject, name: string): string | null {
  const value = fixed[name];
  return typeof value === 'string' ? value : null;
}
