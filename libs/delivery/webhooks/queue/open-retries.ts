import type { DeliveryRecords, DeliveryRow } from '../delivery-records.js';

export type OpenRetry = { readonly key: string; readonly row: DeliveryRow; isSent: boolean };

/** The maximum number of rows that wait for a retry. */
const MOST_OPEN = 500;

export type OpenRetries = ReturnType<typeof openRetries>;

/** The deliveries of an endpoint that wait for a retry, each with a separate row. */
export function openRetries() {
  const open = new Map<string, OpenRetry>();
  const put = (key: string, row: DeliveryRow): void => {
    if (row.status === 'retrying') open.set(key, { key, row, isSent: false });
    else open.delete(key);
  };
  return {
    keys: (): readonly string[] => [...open.keys()],
    all: (): readonly OpenRetry[] => [...open.values()],
    /** Whether there are so many retries that later events wait until one of them is settled. */
    isFull: (): boolean => open.size >= MOST_OPEN,
    /** Loads those of these rows that wait for a retry. */
    async load(records: DeliveryRecords, keys: readonly string[]): Promise<void> {
      for (const key of keys) {
        const row = await records.row(key);
        if (row !== null) put(key, row);
      }
    },
    put,
    /** Adds stored rows. A row that is open already stays: it may be newer than the stored one, and in flight. */
    add(rows: ReadonlyMap<string, DeliveryRow>): void {
      for (const [key, row] of rows) if (!open.has(key)) put(key, row);
    },
    /** The first of them in the order of the workspace. */
    oldest: (): DeliveryRow | null =>
      [...open.values()]
        .map(({ row }) => row)
        .sort(byPlace)
        .at(0) ?? null,
  };
}

const byPlace = (one: DeliveryRow, other: DeliveryRow): number =>
  one.position === other.position ? one.place - other.place : one.position < other.position ? -1 : 1;
