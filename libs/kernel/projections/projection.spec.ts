import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { projection } from './projection.js';

type Parcel = { readonly id: number };
type Letter = { readonly id: number; readonly sender: string };

const parcels = projection<Parcel, { readonly ParcelSent: Parcel }>()({
  name: 'parcels',
  version: 1,
  indexes: {},
  key: (event) => String(event.data.id),
  on: { ParcelSent: (_document, { data }) => data },
});

const store: Pick<ReadModels, 'get' | 'find'> = {
  get: async () => null,
  find: async () => [],
};

describe('a read model by its projection', () => {
  it('answers documents of the projection, and another type does not compile', async () => {
    const parcel: Parcel | null = await store.get(parcels, '1');
    const found: readonly Parcel[] = await store.find(parcels, {});
    // @ts-expect-error documents of this projection have no sender
    const letter: Letter | null = await store.get(parcels, '1');
    // @ts-expect-error nor where the caller names the type
    const letters: readonly Letter[] = await store.find<Letter>(parcels, {});
    expect([parcel, found, letter, letters]).toEqual([null, [], null, []]);
  });
});
