import { pause } from '#kernel/commands/retry.js';
import type { JsonObject } from '#kernel/values/json.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { CursorScope, Cursors } from '#http/cursors.js';
import { detections, type DetectionDocument } from '#projections/signals/detections/detections.projection.js';
import { DEFAULT_LIMIT, plainFilters, type SignalFilterBody } from './signal-filter.body.js';
import { detectionsFilter, type SignalFilter } from './signal-filter.js';
import type { SignalWindow } from './signal-window.js';

/** The start of a page: the window fixed by the first page, and the row after which it continues. */
type SignalPlace = {
  readonly window: SignalWindow;
  /** Detection date and id of the last row of the previous page; null for the first page. */
  readonly after: readonly [detectedAt: string, id: number] | null;
};

/** The place in a cursor. Throws `cursorRefused`. */
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

/** The differences between the API versions of the query: which filters they have, and their meaning. */
export type SignalQuery<Body> = {
  /** The endpoint that its cursors are bound to, besides the workspace and the filters. */
  readonly endpoint: string;
  readonly workspaceId: number;
  readonly body: Body;
  readonly windowOf: () => SignalWindow | Promise<SignalWindow>;
  readonly filterOf: (window: SignalWindow) => Promise<SignalFilter>;
};

type SignalQueryBody = SignalFilterBody & { readonly cursor?: string; readonly limit?: number };

export type SignalPage = {
  readonly rows: readonly DetectionDocument[];
  readonly next: string | null;
};

/**
 * One page, most recently detected first, and the cursor of the next one. The first page fixes the window for the
 * following ones. Throws `cursorRefused` and the refusals of the two functions of the query.
 */
export async function querySignals<Body extends SignalQueryBody>(
  readModels: ReadModels,
  cursors: Cursors,
  query: SignalQuery<Body>,
): Promise<SignalPage> {
  const { limit = DEFAULT_LIMIT } = query.body;
  const { after, cursorBehind, find } = await signalsOf(readModels, cursors, query);
  // One more than the limit, to know whether another row follows.
  const found = await find(after, { limit: limit + 1 });
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, next: last === undefined || found.length <= limit ? null : cursorBehind(last) };
}

/** The maximum number of rows that one request streams. */
const MOST_STREAMED = 100_000;
const ROWS_AT_ONCE = 500;

export type SignalStream = {
  /** The rows in pages; each page is read when the previous one was consumed. */
  readonly pages: AsyncIterable<readonly DetectionDocument[]>;
  readonly next: string | null;
};

/**
 * The same rows as a stream, up to the limit of the query and at most `MOST_STREAMED`, with the cursor after them.
 * Throws like `querySignals`, before the first row.
 */
export async function streamSignals<Body extends SignalQueryBody>(
  readModels: ReadModels,
  cursors: Cursors,
  query: SignalQuery<Body>,
  most: number = MOST_STREAMED,
): Promise<SignalStream> {
  const limit = query.body.limit ?? most;
  const { after, cursorBehind, find } = await signalsOf(readModels, cursors, query);
  const first = await find(after, { limit: ROWS_AT_ONCE });
  // The last row is determined first: `Next-Cursor` is a header, which is sent before the rows. It is looked for behind the
  // first page: before it, rows may have been added since.
  const behindFirst = async (seen: DetectionDocument): Promise<DetectionDocument | undefined> => {
    const rest = limit - first.length;
    const skip = Math.max(rest - 1, 0);
    const found = await find([seen.detectedAt, seen.id], { skip, limit: rest === 0 ? 1 : 2 });
    const [last, following] = rest === 0 ? [seen, ...found] : found;
    return following === undefined ? undefined : last;
  };
  const seen = first.at(-1);
  const isFull = seen !== undefined && first.length === ROWS_AT_ONCE && first.length <= limit;
  const end = isFull ? await behindFirst(seen) : first.length > limit ? first[limit - 1] : undefined;
  async function* pages(): AsyncGenerator<readonly DetectionDocument[]> {
    for (let rows = first; ;) {
      const place = end === undefined ? -1 : rows.findIndex(({ id }) => id === end.id);
      if (place >= 0) {
        yield rows.slice(0, place + 1);
        return;
      }
      yield rows;
      const seen = rows.at(-1);
      if (seen === undefined || rows.length < ROWS_AT_ONCE) return;
      // Other work may run between two pages.
      await pause(0);
      rows = await find([seen.detectedAt, seen.id], { limit: ROWS_AT_ONCE });
    }
  }
  return { pages: pages(), next: end === undefined ? null : cursorBehind(end) };
}

/** The common part of the pages and the stream of a query. */
async function signalsOf<Body extends SignalQueryBody>(
  readModels: ReadModels,
  cursors: Cursors,
  { endpoint, workspaceId, body, windowOf, filterOf }: SignalQuery<Body>,
) {
  const { cursor, limit: _limit, ...filters } = body;
  const scope: CursorScope = { endpoint, workspaceId, filters: plainFilters(filters) };
  const { window, after }: SignalPlace =
    cursor === undefined ? { window: await windowOf(), after: null } : placeOf(cursors, scope, cursor);
  const filter = detectionsFilter(await filterOf(window));
  return {
    after,
    cursorBehind: ({ detectedAt, id }: DetectionDocument): string =>
      cursors.encode(scope, { keys: [detectedAt, id], fixed: { ...window } }),
    find: (behind: SignalPlace['after'], cut: { readonly skip?: number; readonly limit: number }) =>
      readModels.find(detections, {
        ...filter,
        sort: [
          ['detectedAt', 'desc'],
          ['id', 'desc'],
        ],
        ...(behind === null ? {} : { after: behind }),
        ...cut,
      }),
  };
}

function textOf(fixed: JsonObject, name: string): string | null {
  const value = fixed[name];
  return typeof value === 'string' ? value : null;
}
