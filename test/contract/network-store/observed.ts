import type { IngestReport } from '#network/ingest.js';
import type { NetworkStore } from '#network/network-store.js';
import type { Page, ReadPosition } from '#network/network-source.port.js';

export type Json = { readonly [name: string]: unknown };

/** A window that includes every dated observation. */
export const always = {
  after: new Date('0001-01-01T00:00:00Z'),
  until: new Date('9999-01-01T00:00:00Z'),
  now: new Date('9999-01-01T00:00:00Z'),
};

/** Sends observations as one NDJSON stream. */
export function ingest(store: NetworkStore, observations: readonly Json[]): Promise<IngestReport> {
  async function* lines(): AsyncGenerator<Uint8Array> {
    for (const observation of observations) yield Buffer.from(`${JSON.stringify(observation)}\n`);
  }
  return store.ingest(lines());
}

/** Opens a store of its own for a case, with these observations. */
export type FreshNetwork = (observations?: readonly Json[]) => Promise<NetworkStore>;

/** Opens empty stores, and closes them after the cases of this `describe`. */
export function freshNetworks(open: () => Promise<NetworkStore>): FreshNetwork {
  const opened: NetworkStore[] = [];
  afterAll(async () => {
    for (const store of opened) await store.close();
  });
  return async (observations = []) => {
    const store = await open();
    opened.push(store);
    if (observations.length > 0) await ingest(store, observations);
    return store;
  };
}

/** All items of a read, page by page. */
export async function allPages<Item>(
  read: (position: ReadPosition | null) => Promise<Page<Item>>,
): Promise<readonly Item[]> {
  const found: Item[] = [];
  for (let position: ReadPosition | null = null; ;) {
    const { items, next } = await read(position);
    found.push(...items);
    if (next === null) return found;
    if (next === position) throw new Error(`a page ends where it began: ${next}`);
    position = next;
  }
}

export const worksAt = (company: string | null, title = 'Rep'): Json => ({
  experiences:
    company === null ? [] : [{ title, company_ref: company, start_date: '2024-01', end_date: null }],
});

export const person = (ref: string, facts: Json = {}): Json => ({
  kind: 'person',
  ref,
  handle: ref.replaceAll(':', '-'),
  ...facts,
});
