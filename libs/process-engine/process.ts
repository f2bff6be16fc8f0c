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

/** Whether a workspace is blocked, and when it was unblocked last (RFC 3339), null where it never was. */
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
  /** Where the network's own pages are. */
  readonly networkBaseUrl: string;
  /** When this worker started, on the product's clock: standstill counts only while a worker is alive. */
  readonly startedAt: Date;
  /** True while the model stopped at an event of this workspace that it could not fold. */
  readonly isParked: (view: string, workspaceId: number) => Promise<boolean>;
  /** Null for a workspace that is not known. */
  readonly blockOf: (workspaceId: number) => Promise<Block | null>;
  /** Does a part of an item's work under a name by which it can be followed. */
  readonly step: Step;
}

/** `goes on`: a turn of a long piece of work is over; it is taken up again when others have had theirs. */
export type Acted = void | 'goes on';

/**
 * A process as data: a to-do read model (what is due) and what to do about one item. `act` may be stopped
 * anywhere and is then started again: it sends commands whose ids derive from the item, so that acting twice
 * has no second effect. The item leaves the to-do model by an event.
 */
export type Process<Item extends DueItem = DueItem> = {
  readonly name: string;
  readonly lane: Lane;
  /**
   * So many items are acted on at the same time in one worker, as far as the lane has slots: more than one workspace
   * may have of the lane, and no more than it has.
   */
  readonly atOnce: number;
  readonly toDo: ToDo<Item>;
  /** Items with the same key are one piece of work: they are never acted on at the same time. */
  key(item: Item): string;
  /**
   * The stream whose newest event made an item due, where its to-do is not in the order of such events: for who follows
   * work to what caused it.
   */
  causeStream?(item: Item): string;
  /**
   * Models that it decides by. While one of them is parked for a workspace its work there waits: it would be done
   * on a guess, or the same would show as due for ever.
   */
  readonly waitsFor: readonly string[];
  /** Its work in a blocked workspace waits until that is unblocked (OP-52). */
  readonly restsWhileBlocked?: boolean;
  /** And for so long after that, where it ends what others had no time to end meanwhile. */
  readonly restsAfterBlockMs?: number;
  act(host: ProcessHost, item: Item, signal: AbortSignal): Promise<Acted>;
  /** Told of an error that `act` threw, before it is tried again. */
  failed?(host: ProcessHost, item: Item, error: unknown): Promise<void>;
};

/** Whether the work of this process waits in this workspace. */
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
