import type { Clock } from '#kernel/ports/clock.js';
import type { Commands } from '#kernel/commands/commands.js';
import type { Ids } from '#kernel/commands/ids.js';
import type { ReadModelProgress } from '#kernel/ports/progress.port.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { Coverage } from '#detection/coverage.port.js';
import type { NetworkDirectory } from '#network/network-directory.port.js';
import type { NetworkSource } from '#network/network-source.port.js';

/** What processes may use. They act by sending ordinary commands and read only read models and the network. */
export type ProcessHost = {
  readonly commands: Commands;
  readonly ids: Ids;
  readonly readModels: ReadModels;
  readonly progress: ReadModelProgress;
  readonly clock: Clock;
  readonly network: NetworkSource;
  readonly directory: NetworkDirectory;
  readonly coverage: Coverage;
  /** When this worker started, on the product's clock: standstill counts only while a worker is alive. */
  readonly startedAt: Date;
  /** True while the model stopped at an event of this workspace that it could not fold. */
  readonly isParked: (view: string, workspaceId: number) => Promise<boolean>;
};

/**
 * A process as data: a to-do read model (what is due) and what to do about one item. `act` may be stopped
 * anywhere and is then started again: it sends commands whose ids derive from the item, so that acting twice
 * has no second effect. The item leaves the to-do model by an event.
 */
export type Process<Item = unknown> = {
  readonly name: string;
  /** Items due at `now`, oldest first. */
  due(host: ProcessHost, now: Date, limit: number): Promise<readonly Item[]>;
  /** The first time after `now` at which something falls due, or null; lets the manual clock step in order. */
  nextDueAt?(host: ProcessHost, now: Date): Promise<Date | null>;
  key(item: Item): string;
  /** True while the item waits for something that no worker can bring about: it is not started meanwhile. */
  waits?(host: ProcessHost, item: Item): Promise<boolean>;
  act(host: ProcessHost, item: Item, signal: AbortSignal): Promise<void>;
  /** Told of an error that `act` threw, before it is tried again. */
  failed?(host: ProcessHost, item: Item, error: unknown): Promise<void>;
};
