import { rowKey, type DeliveryRecords, type DeliveryRow, type KeyedRow } from './delivery-records.js';

export type DeliveriesQuery = {
  readonly status: DeliveryRow['status'] | null;
  readonly limit: number;
  /** The key of the row after which the page begins; null: the newest. */
  readonly after: string | null;
};

const AT_ONCE = 200;

/**
 * Deliveries to an endpoint, the newest event first: those with a row of their own, and recent ones that succeeded at
 * the first attempt. `hasMore`: others follow after the last of them.
 */
export async function recentDeliveries(
  records: DeliveryRecords,
  endpointId: number,
  { status, limit, after }: DeliveriesQuery,
): Promise<{ readonly rows: readonly DeliveryRow[]; readonly hasMore: boolean }> {
  const state = await records.state(endpointId);
  const recent = (state?.recent ?? []).map((row) => ({
    key: rowKey(endpointId, { id: row.eventId, occurredAt: row.occurredAt }),
    row,
  }));
  const found: KeyedRow[] = [];
  let from = after ?? undefined;
  for (;;) {
    const stored = await records.rows(endpointId, AT_ONCE, from);
    const isEnd = stored.length < AT_ONCE;
    const end = isEnd ? null : (stored.at(-1)?.key ?? null);
    const storedKeys = new Set(stored.map(({ key }) => key));
    const between = recent.filter(
      ({ key }) => (from === undefined || key > from) && (end === null || key <= end) && !storedKeys.has(key),
    );
    const merged = [...stored, ...between].sort((one, other) => (one.key < other.key ? -1 : 1));
    for (const keyed of merged) {
      if (status !== null && keyed.row.status !== status) continue;
      if (found.length === limit) return { rows: rowsOf(found), hasMore: true };
      found.push(keyed);
    }
    if (end === null) return { rows: rowsOf(found), hasMore: false };
    from = end;
  }
}

const rowsOf = (found: readonly KeyedRow[]): readonly DeliveryRow[] => found.map(({ row }) => row);
