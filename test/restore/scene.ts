import type { Projection } from '#kernel/projections/projection.js';
import { createIds, type Ids } from '#kernel/commands/ids.js';
import { systemClock } from '#kernel/ports/clock.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import { openIdMarks } from '#runtime/id-marks.js';
import type { ProjectionEngine } from '#projection-engine/projection-engine.js';
import {
  balances,
  closed,
  deposited,
  deposits,
  rates,
  rateSet,
  type BankEvent,
} from '#test/projections/engine-fixture.js';
import { mortal, type Life } from '#test/support/mortal.js';
import { seededRandom } from '#test/support/seeded-random.js';
import { freeLeases, type Vault } from './vault.js';

/** Random events for a log and its workers. */
export type Scene = {
  readonly vault: Vault;
  readonly reads: ReadStore;
  readonly views: readonly Projection[];
  /** A whole number from 0 to below this. */
  readonly upTo: (limit: number) => number;
  readonly happenSome: () => void;
  /** Some ids of movements, given by a process that has run since all were ended, or starts now. */
  readonly giveIds: () => Promise<void>;
  readonly idsGivenTwice: () => readonly number[];
  /** A worker as a process starts one: it looks first. */
  readonly worker: (through?: ReadStore) => Promise<ProjectionEngine>;
  /** Resolves when it runs, or has died before that. */
  readonly mortalWorker: (life: Life) => Promise<void>;
  /** The worker that has run longest. */
  readonly anyWorker: () => ProjectionEngine | null;
  /** Ends all workers, and frees the leases of the dead ones. */
  readonly stopAll: () => Promise<void>;
};

export function openScene(vault: Vault, reads: ReadStore, seed: number): Scene {
  const random = seededRandom(seed);
  const upTo = (limit: number): number => Math.floor(random() * limit);
  const views = [balances(), deposits(), rates()];
  const sound: ProjectionEngine[] = [];
  const dying: Life[] = [];
  const given = new Set<number>();
  const givenTwice: number[] = [];
  let ids: Ids | null = null;
  const someEvents = (): readonly BankEvent[] =>
    Array.from({ length: 1 + upTo(6) }, () => {
      const [workspaceId, account] = [1 + upTo(3), `account-${upTo(4)}`];
      const kind = upTo(8);
      if (kind === 0) return closed(workspaceId, account);
      return kind === 1 ? rateSet(upTo(100)) : deposited(workspaceId, account, upTo(100));
    });
  const begin = async (engine: ProjectionEngine): Promise<void> => {
    await engine.requireFit();
    engine.start();
  };
  return {
    vault,
    reads,
    views,
    upTo,
    happenSome: () => vault.happen(...someEvents()),
    giveIds: async () => {
      const events = vault.events();
      ids ??= createIds(events, systemClock, await openIdMarks(events, reads));
      for (const id of await ids.nextMany('movement', 1 + upTo(300))) {
        if (given.has(id)) givenTwice.push(id);
        given.add(id);
      }
    },
    idsGivenTwice: () => givenTwice,
    worker: async (through = reads) => {
      const engine = vault.engine(through, views);
      sound.push(engine);
      await begin(engine);
      return engine;
    },
    mortalWorker: async (life) => {
      dying.push(life);
      const engine = vault.engine(mortal(reads, life), views, {}, 'dies');
      await Promise.race([life.death, begin(engine)]);
    },
    anyWorker: () => sound[0] ?? null,
    stopAll: async () => {
      ids = null;
      for (const engine of sound.splice(0)) await engine.stop();
      await Promise.all(dying.splice(0).map(({ death, kill }) => (kill(), death)));
      await freeLeases(reads);
    },
  };
}
