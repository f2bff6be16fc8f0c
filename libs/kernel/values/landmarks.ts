/** The sort key of a row: the values of the sort fields, compared one after the other. */
export type RowKey = readonly (string | number)[];

/**
 * A sparse index of a sorted collection that finds the start of a numbered page. Each landmark has a key and the exact
 * number of rows from that key to the next landmark. The number of landmarks and the rows of each grow with the square
 * root of the number of rows. Measured without them: of 10,000 members the last page took twice as long as the first
 * (docs/adr/0018).
 */
export type Landmarks<Key extends RowKey> = {
  /** The number of rows that fills a landmark; a row after all others then starts the next one. */
  readonly width: number;
  /** No row is after this key. */
  readonly last: Key;
  readonly marks: readonly (readonly [from: Key, rows: number])[];
};

type Mark<Key> = [from: Key, rows: number];

/** More than a page, so that a short collection has one landmark. */
const FIRST_WIDTH = 64;

/** The maximum number of landmarks of a width. Reading one costs about as much as skipping four rows. */
const mostOf = (width: number): number => Math.max(FIRST_WIDTH, width / 4);

/** The landmarks with these new rows. Rows added in sort order keep them about equally wide. */
export function addRows<Key extends RowKey>(
  landmarks: Landmarks<Key> | null,
  keys: readonly [Key, ...Key[]],
): Landmarks<Key> {
  let marks = copied(landmarks);
  let { width, last } = landmarks ?? { width: FIRST_WIDTH, last: keys[0] };
  for (const key of keys) {
    const isLast = isBefore(last, key);
    const mark = marks[placeOf(marks, key)];
    if (mark === undefined || (isLast && mark[1] >= width)) {
      marks.push([key, 1]);
    } else {
      mark[1] += 1;
      if (isBefore(key, mark[0])) mark[0] = key;
    }
    if (isLast) last = key;
    while (marks.length > mostOf(width)) {
      marks = merged(marks, width);
      // Removals left few rows per landmark, or there are more rows than this width can cover.
      if (marks.length > mostOf(width) * 0.75) width *= 2;
    }
  }
  return { width, last, marks };
}

/** The landmarks without these rows, each of which was added before; null if none is left. */
export function removeRows<Key extends RowKey>(
  landmarks: Landmarks<Key>,
  keys: readonly Key[],
): Landmarks<Key> | null {
  const marks = copied(landmarks);
  for (const key of keys) {
    const place = placeOf(marks, key);
    const mark = marks[place];
    if (mark === undefined) continue;
    mark[1] -= 1;
    if (mark[1] === 0) marks.splice(place, 1);
  }
  return marks.length === 0 ? null : { ...landmarks, marks };
}

/** The way to a row: start at the bound (null: at the first row) and skip this many rows. */
export type WayTo<Key extends RowKey> = { readonly bound: Key | null; readonly skip: number };

/** The way to the first row of all, in any order. */
export const START = { bound: null, skip: 0 } as const;

/**
 * The way to the row with this many rows before it in ascending order; rows from the bound on are counted, including
 * the bound's row. null if there are fewer rows.
 */
export function wayUp<Key extends RowKey>(
  landmarks: Landmarks<Key> | null,
  rowsBefore: number,
): WayTo<Key> | null {
  let skip = rowsBefore;
  for (const [from, rows] of landmarks?.marks ?? []) {
    if (skip < rows) return { bound: from, skip };
    skip -= rows;
  }
  return null;
}

/**
 * The way to the row with this many rows before it in descending order; rows below the bound are counted, without the
 * bound's row. null if there are fewer rows.
 */
export function wayDown<Key extends RowKey>(
  landmarks: Landmarks<Key> | null,
  rowsBefore: number,
): WayTo<Key> | null {
  let skip = rowsBefore;
  let bound: Key | null = null;
  for (const [from, rows] of (landmarks?.marks ?? []).toReversed()) {
    if (skip < rows) return { bound, skip };
    skip -= rows;
    bound = from;
  }
  return null;
}

function copied<Key extends RowKey>(landmarks: Landmarks<Key> | null): Mark<Key>[] {
  return (landmarks?.marks ?? []).map(([from, rows]) => [from, rows]);
}

/** The landmark that a key belongs to: the last one at or before it. A key before all belongs to the first. */
function placeOf<Key extends RowKey>(marks: readonly Mark<Key>[], key: Key): number {
  let [low, high] = [0, marks.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const mark = marks[middle];
    if (mark !== undefined && isBefore(key, mark[0])) high = middle - 1;
    else low = middle;
  }
  return low;
}

/** Merges neighbours whose rows fit into one landmark. */
function merged<Key extends RowKey>(marks: readonly Mark<Key>[], width: number): Mark<Key>[] {
  const wider: Mark<Key>[] = [];
  for (const [from, rows] of marks) {
    const before = wider.at(-1);
    if (before !== undefined && before[1] + rows <= width) before[1] += rows;
    else wider.push([from, rows]);
  }
  return wider;
}

function isBefore(left: RowKey, right: RowKey): boolean {
  for (const [place, value] of left.entries()) {
    const other = right[place];
    if (other === undefined || value === other) continue;
    return value < other;
  }
  return false;
}
