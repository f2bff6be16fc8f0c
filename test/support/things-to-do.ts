import { projection } from '#kernel/projections/projection.js';
import type { GuardedDocument, ReadStore } from '#kernel/ports/read-store.port.js';

/** A thing to do: at once, or when its time has come. */
export type Thing = {
  readonly workspaceId: number;
  readonly name: string;
  readonly kind: 'long' | 'short';
  /** Its position in the order. */
  readonly at: number;
  readonly dueAt: string | null;
};

/** A to-do view that tests write directly. */
export const things = projection<Thing, Record<never, never>>()({
  name: 'things',
  version: 1,
  indexes: {
    oldestFirst: ['kind', 'at', 'name'],
    byWorkspace: ['workspaceId', 'kind', 'at', 'name'],
    due: ['kind', 'dueAt', 'name'],
    workspacesDue: ['kind', 'dueAt', 'workspaceId'],
    dueOfWorkspace: ['workspaceId', 'kind', 'dueAt', 'name'],
  },
  key: () => null,
  on: {},
});

export type ThingsToDo = {
  /** Adds things to the view and notifies its watchers. */
  readonly add: (...added: readonly Thing[]) => Promise<void>;
  readonly remove: (...removed: readonly Thing[]) => Promise<void>;
  /** The views that a process runner watches. */
  readonly watch: (views: readonly string[], moved: (view: string) => void) => () => void;
};

const LEASE = 'things';

export async function openThings(reads: ReadStore): Promise<ThingsToDo> {
  const generation = { view: things, generation: 1 };
  const lease = await reads.acquireLease(LEASE, 'test', 3_600_000);
  if (lease === null) throw new Error('another process holds the lease');
  const fence = { lease: LEASE, epoch: lease.epoch };
  await reads.createGeneration(generation);
  await reads.indexGeneration(generation);
  await reads.makeLive(generation, fence);
  const watchers = new Set<() => void>();
  let written = 0;

  async function write(changed: readonly Thing[], isThere: boolean): Promise<void> {
    const position = String((written += 1)).padStart(12, '0');
    const documents = changed.map((thing): GuardedDocument => ({
      key: thing.name,
      position,
      document: isThere ? thing : null,
    }));
    const checkpoint = { position, applied: written, ignored: 0, parked: 0 };
    await reads.write([{ generation, documents, checkpoint }], fence);
    for (const moved of watchers) moved();
  }

  return {
    add: (...added) => write(added, true),
    remove: (...removed) => write(removed, false),
    watch(_views, moved) {
      const onMove = (): void => moved(things.name);
      watchers.add(onMove);
      return () => void watchers.delete(onMove);
    },
  };
}
