import type { Clock } from '#kernel/ports/clock.js';
import type { Commands } from '#kernel/commands/commands.js';
import type { Ids } from '#kernel/commands/ids.js';
import type { ReadModelProgress } from '#kernel/ports/progress.port.js';
import type { Step } from '#kernel/ports/tracing.port.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { NetworkDirectory } from '#network/network-directory.port.js';
import type { NetworkSource } from '#network/network-source.port.js';
import type { Lane } from './lanes.js';
import type { DueItem, ToDo } from './to-do.js';

/** Whether a workspace is blocked, and when it was last unblocked (RFC 3339), null if never. */
export type Block = { readonly blocked: boolean; readonly unblockedAt: string | null };

/**
 * What processes may use. They act by sending ordinary commands and read only read models and the network. A feature
 * whose processes need more adds it to this interface, in its own `process-host.ts`.
 */
export interface ProcessHost {
  readonly commands: Commands;
  readonly ids: Ids;
  readonly readModels: ReadModels;
  readonly progress: ReadModelProgress;
  readonly clock: Clock;
  readonly network: NetworkSource;
  readonly directory: NetworkDirectory;
  /** The base address of the network's own pages. */
  readonly networkBaseUrl: string;
  /** When this worker started, on the product's clock: time without progress counts only while a worker is alive. */
  readonly startedAt: Date;
  /** True while this workspace is parked in the read model. */
  readonly isParked: (view: string, workspaceId: number) => Promise<boolean>;
  /** Null for an unknown workspace. */
  readonly blockOf: (workspaceId: number) => Promise<Block | null>;
  /** Does one step of an item's work under a name that traces show. */
  readonly step: Step;
}

/** `continues`: one part of a long item is done; the item continues after other items have had a slot. */
export type Acted = void | 'continues';

/**
 * A process as data: a to-do read model that lists due items, and the function `act` for one item. `act` may be stopped
 * at any point and is then started again: it sends commands whose ids derive from the item, so it is idempotent. An
 * event removes the item from the to-do model.
 */
export type Process<Item extends DueItem = DueItem> = {
  readonly name: string;
  readonly lane: Lane;
  /**
   * The maximum number of concurrent items in one worker: more than the lane allows one workspace, and at most the slots
   * of the lane.
   */
  readonly atOnce: number;
  readonly toDo: ToDo<Item>;
  /** Items with the same key never run at the same time. */
  key(item: Item): string;
  /**
   * The stream whose newest event made an item due, if the to-do is not in the order of these events. Traces use it to
   * find the cause of the work.
   */
  causeStream?(item: Item): string;
  /**
   * Read models that the process decides by. While one of them is parked for a workspace, work of this workspace waits:
   * the process would act on missing data, or the item would stay due for ever.
   */
  readonly waitsFor: readonly string[];
  /** Work of a blocked workspace waits until the workspace is unblocked (OP-52). */
  readonly restsWhileBlocked?: boolean;
  /** The additional wait after that, for work that ends what other processes could not end meanwhile. */
  readonly restsAfterBlockMs?: number;
  act(host: ProcessHost, item: Item, signal: AbortSignal): Promise<Acted>;
  /** Called with an error of `act`, before the item is retried. */
  failed?(host: ProcessHost, item: Item, error: unknown): Promise<void>;
};

/** Whether this process's work of this workspace waits. */
export async function isWaiting(
  host: Pick<ProcessHost, 'isParked' | 'blockOf' | 'clock'>,
  { waitsFor, ...rests }: Pick<Process, 'waitsFor' | 'restsWhileBlocked' | 'restsAfterBlockMs'>,
  workspaceId: number,
): Promise<boolean> {
  if (await isResting(host, rests, workspaceId)) return true;
  const parked = await Promise.all(waitsFor.map((view) => host.isParked(view, workspaceId)));
  return parked.includes(true);
}

async function isResting(
  { blockOf, clock }: Pick<ProcessHost, 'blockOf' | 'clock'>,
  { restsWhileBlocked = false, restsAfterBlockMs = 0 }: Omit<Parameters<typeof isWaiting>[1], 'waitsFor'>,
  workspaceId: number,
): Promise<boolean> {
  if (!restsWhileBlocked) return false;
  const found = await blockOf(workspaceId);
  if (found === null || found.blocked || found.unblockedAt === null) return found?.blocked === true;
  return clock.now().getTime() - Date.parse(found.unblockedAt) < restsAfterBlockMs;
}
