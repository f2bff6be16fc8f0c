import type { JsonValue } from '#kernel/values/json.js';
import type {
  Checkpoint,
  Fence,
  Generation,
  GuardedDocument,
  ReadStore,
  ViewOf,
} from '#kernel/ports/read-store.port.js';
import { late } from '#test/support/late.js';

/** A store of its own for one test: an empty file, or an empty database of a server. */
export type ReadStorePlace = {
  /** Another connection, like that of another process. */
  readonly connect: (nowMs?: () => number) => Promise<ReadStore>;
  /** Closes all connections and removes the store. */
  readonly remove: () => Promise<void>;
};

export type MakeReadStorePlace = () => Promise<ReadStorePlace>;

/** A place with a connection for each case of this `describe`; removed after the case. */
export function placePerCase<Place extends ReadStorePlace>(
  makePlace: () => Promise<Place>,
): { readonly place: Place; readonly store: ReadStore } {
  let place: Place | undefined;
  let store: ReadStore | undefined;
  beforeEach(async () => {
    place = await makePlace();
    store = await place.connect();
  });
  afterEach(() => place?.remove());
  return { place: late('the place', () => place), store: late('the read store', () => store) };
}

export const runs: ViewOf<RunDocument> = {
  name: 'runs',
  version: 1,
  indexes: {
    listed: ['workspaceId', 'startedAt', 'id'],
    byState: ['workspaceId', 'state', 'startedAt', 'id'],
    searched: ['workspaceId', 'title', 'trial', 'credits', 'score'],
  },
  onlyWith: { byState: 'state' },
};

export type RunDocument = {
  readonly id: number;
  readonly workspaceId: number;
  readonly state: string | null;
  readonly startedAt: string;
  readonly title?: string;
  readonly trial?: boolean;
  readonly credits?: string | null;
  readonly score?: number | null;
  readonly details?: JsonValue;
};

export const run = (
  id: number,
  state = 'running',
): { readonly key: string; readonly document: RunDocument } => ({
  key: `run-${id}`,
  document: { id, workspaceId: 7, state, startedAt: '2025' },
});

/** Positions in these tests: whole numbers as text of equal length, with the order of the numbers. */
export function at(position: number): string {
  return position.toString().padStart(8, '0');
}

export function checkpointAt(position: number, counts: Partial<Checkpoint> = {}): Checkpoint {
  return { position: at(position), applied: 0, ignored: 0, parked: 0, ...counts };
}

export async function fenceOf(store: ReadStore, holder = 'worker-1'): Promise<Fence> {
  const lease = await store.acquireLease('projections', holder, 5_000);
  if (lease === null) throw new Error('the lease of this test is held by another');
  return { lease: lease.name, epoch: lease.epoch };
}

/** A live generation with these documents, all written at one position. */
export async function publish(
  store: ReadStore,
  generation: Generation,
  documents: readonly Pick<GuardedDocument, 'key' | 'document'>[],
  position = 1,
): Promise<Fence> {
  const fence = await fenceOf(store);
  await store.createGeneration(generation);
  await store.write(
    [
      {
        generation,
        documents: documents.map((document) => ({ ...document, position: at(position) })),
        checkpoint: checkpointAt(position),
      },
    ],
    fence,
  );
  await store.indexGeneration(generation);
  await store.makeLive(generation, fence);
  return fence;
}
