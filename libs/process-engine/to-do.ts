import type { Condition, Query, ReadModels, ViewOf } from '#kernel/ports/read-store.port.js';

/** An item of a to-do read model; it belongs to one workspace. */
export type DueItem = { readonly workspaceId: number };

type Field<Document> = keyof Document & string;
type Where = { readonly [field: string]: Condition };

/**
 * Pending work in a read model: its due documents and their times. The engine derives from it which items are due, when
 * the next item falls due, which workspaces have work, and which projection's progress brings new work.
 */
export type ToDo<Item extends DueItem = DueItem> = {
  readonly view: ViewOf<Item>;
  /** The pending documents: those that match any of these conditions. */
  readonly where: readonly Where[];
  /** Oldest first; the last field is unique among equals. */
  readonly order: readonly string[];
  /** A document is due this long after the instant in the first field of `order`; null: every document is due. */
  readonly afterMs: number | null;
  /** All due documents of a workspace are one item of work, represented by the first document. */
  readonly isOneAWorkspace: boolean;
  /** New documents are due long after they are written: a change of the view is no reason to hurry. */
  readonly isUnhurried: boolean;
};

type Wanted<Document> = {
  /** Absent: all documents. The view has an index of the fields of each alternative followed by the order. */
  readonly where?: readonly Where[];
  readonly oldestFirst: readonly Field<Document>[];
};

/** Documents that are pending work as long as they are in the view. */
export function toDo<Document extends DueItem>(
  view: ViewOf<Document>,
  { where = [{}], oldestFirst }: Wanted<Document>,
): ToDo<Document> {
  return { view, where, order: oldestFirst, afterMs: null, isOneAWorkspace: false, isUnhurried: false };
}

/** Work that is due this long after it is written, such as the sweep of holds of a busy ledger, is never urgent. */
const UNHURRIED_AFTER_MS = 1_000;

/**
 * Documents that fall due at a time. `dueAt` names the field with the instant (RFC 3339, UTC, milliseconds; null: never
 * due); a document is due `afterMs` milliseconds after it. `isOneAWorkspace`: the work on one document covers all due
 * documents of its workspace; the view then has an index of the fields of each condition, `dueAt` and `workspaceId`.
 * `isUnhurried`: the view changes much more often than documents fall due.
 */
export function timedToDo<Document extends DueItem>(
  view: ViewOf<Document>,
  {
    dueAt,
    afterMs = 0,
    thenBy,
    where = [{}],
    isOneAWorkspace = false,
    isUnhurried = afterMs > UNHURRIED_AFTER_MS,
  }: {
    readonly dueAt: Field<Document>;
    readonly afterMs?: number;
    readonly thenBy: Field<Document>;
    readonly where?: readonly Where[];
    readonly isOneAWorkspace?: boolean;
    readonly isUnhurried?: boolean;
  },
): ToDo<Document> {
  return { view, where, order: [dueAt, thenBy], afterMs, isOneAWorkspace, isUnhurried };
}

/** Items due at `now`, oldest first; `workspaceId` narrows to one workspace. */
export async function dueItems<Item extends DueItem>(
  readModels: ReadModels,
  toDo: ToDo<Item>,
  now: Date,
  limit: number,
  workspaceId?: number,
): Promise<readonly Item[]> {
  const ofWorkspace: Where = workspaceId === undefined ? {} : { workspaceId };
  const found = await Promise.all(
    toDo.where.map((where) =>
      readModels.find(toDo.view, {
        where: { ...where, ...ofWorkspace, ...dueBy(toDo, now) },
        sort: sortOf(toDo),
        limit,
      }),
    ),
  );
  const [only = []] = found;
  if (found.length === 1) return only;
  return found.flat().sort(byOrder(toDo)).slice(0, limit);
}

/** The item that comes first in the order of the to-do; null if there are none. */
export function oldestOf(toDo: ToDo, items: readonly DueItem[]): DueItem | null {
  return items.toSorted(byOrder(toDo))[0] ?? null;
}

/** The number of items due at `now`. */
export async function dueCount(readModels: ReadModels, toDo: ToDo, now: Date): Promise<number> {
  const counts = await Promise.all(
    toDo.where.map((where) => readModels.count(toDo.view, { where: { ...where, ...dueBy(toDo, now) } })),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

const POSITION_FIELD = /Position$/;

/**
 * Since when an item is due: its due time, or the time at which the event at the position in its first field was
 * recorded, from `recordedAt`. Null if the to-do is ordered by neither.
 */
export async function dueSince(
  toDo: ToDo,
  item: DueItem,
  recordedAt: (position: string) => Promise<Date | null>,
): Promise<Date | null> {
  const { order, afterMs } = toDo;
  const [field] = order;
  if (field === undefined) return null;
  if (afterMs !== null) return new Date(Date.parse(String(Reflect.get(item, field))) + afterMs);
  const position = causePosition(toDo, item);
  return position === null ? null : recordedAt(position);
}

/**
 * The position of the event that made an item due, if the to-do is ordered by it; null if the clock made it due, or
 * more than one event.
 */
export function causePosition({ order, afterMs }: ToDo, item: DueItem): string | null {
  const [field] = order;
  if (field === undefined || afterMs !== null || !POSITION_FIELD.test(field)) return null;
  return String(Reflect.get(item, field));
}

/** The first due time after `now`; null if there is none. */
export async function nextDueAt(readModels: ReadModels, toDo: ToDo, now: Date): Promise<Date | null> {
  const { afterMs, order } = toDo;
  const [dueAt] = order;
  if (afterMs === null || dueAt === undefined) return null;
  const found = await Promise.all(
    toDo.where.map((where) =>
      readModels.find(toDo.view, {
        where: { ...where, [dueAt]: { gt: boundOf(now, afterMs) } },
        sort: sortOf(toDo),
        limit: 1,
      }),
    ),
  );
  const times = found.flat().map((item) => Date.parse(String(Reflect.get(item, dueAt))) + afterMs);
  return times.length === 0 ? null : new Date(Math.min(...times));
}

/** The first `limit` workspaces with due work at `now` whose id is greater than `after`, in the order of their ids. */
export async function workspacesDue(
  readModels: ReadModels,
  toDo: ToDo,
  now: Date,
  limit: number,
  after: number,
): Promise<readonly number[]> {
  const ofLater: Where = after === 0 ? {} : { workspaceId: { gt: after } };
  const found = await Promise.all(
    toDo.where.map((where) =>
      readModels.groups(
        toDo.view,
        { where: { ...where, ...ofLater, ...dueBy(toDo, now) } },
        { by: ['workspaceId'], limit },
      ),
    ),
  );
  const ids = new Set(found.flat().map(({ by }) => Number(by[0])));
  // An alternative may have more than `limit` workspaces: after the last id below, its others are unknown.
  return [...ids].sort((left, right) => left - right).slice(0, limit);
}

const sortOf = ({ order }: ToDo): NonNullable<Query['sort']> => order.map((field) => [field, 'asc'] as const);

const boundOf = (now: Date, afterMs: number): string => new Date(now.getTime() - afterMs).toISOString();

function dueBy({ afterMs, order }: ToDo, now: Date): Where {
  const [dueAt] = order;
  return afterMs === null || dueAt === undefined ? {} : { [dueAt]: { lte: boundOf(now, afterMs) } };
}

/** Alternatives of one to-do are queried one by one and merged in one order. */
const byOrder =
  ({ order }: ToDo) =>
  (left: DueItem, right: DueItem): number => {
    for (const field of order) {
      const [one, other]: readonly unknown[] = [Reflect.get(left, field), Reflect.get(right, field)];
      if (one === other) continue;
      if (typeof one === 'number' && typeof other === 'number') return one - other;
      return String(one) < String(other) ? -1 : 1;
    }
    return 0;
  };
