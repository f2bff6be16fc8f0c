import type { EventStore } from '#kernel/ports/event-store.port.js';
import { isWaiting, type Process, type ProcessHost } from './process.js';
import { dueCount, dueItems, dueSince, oldestOf, workspacesDue, type DueItem } from './to-do.js';

/** Items of the first read, and then workspaces of one read. */
const PAGE = 100;

type WaitHost = Pick<ProcessHost, 'readModels' | 'isParked' | 'blockOf' | 'clock'>;

/** The number and age of the due items of a process. */
export type DueFigures = {
  readonly items: number;
  /** When the oldest item that does not wait fell due; null: there is none, or its to-do has no due times. */
  readonly oldestSince: Date | null;
};

/**
 * The due work of a process. Items of waiting workspaces (blocked, or parked in a read model) count among the items but
 * not for the age, because they are not late.
 */
export async function dueFigures(
  host: WaitHost,
  process: Process,
  recordedAt: (position: string) => Promise<Date | null>,
): Promise<DueFigures> {
  const { readModels, clock } = host;
  const now = clock.now();
  const items = await dueCount(readModels, process.toDo, now);
  const oldest = items === 0 ? null : await firstThatRuns(host, process, now);
  return { items, oldestSince: oldest === null ? null : await dueSince(process.toDo, oldest, recordedAt) };
}

/** The oldest due item that does not wait; null if all wait. */
async function firstThatRuns(host: WaitHost, process: Process, now: Date): Promise<DueItem | null> {
  const found: DueItem[] = [];
  for await (const item of thatRun(host, process, now)) found.push(item);
  return oldestOf(process.toDo, found);
}

/**
 * Due items that do not wait: the oldest one if it is among the first items. Otherwise the oldest one of each workspace,
 * because many items that wait must not hide those of another workspace.
 */
async function* thatRun(host: WaitHost, process: Process, now: Date): AsyncGenerator<DueItem, void> {
  const { readModels } = host;
  const { toDo } = process;
  const waiting = new Map<number, boolean>();
  const waits = async (workspaceId: number): Promise<boolean> => {
    const known = waiting.get(workspaceId) ?? (await isWaiting(host, process, workspaceId));
    waiting.set(workspaceId, known);
    return known;
  };
  const items = await dueItems(readModels, toDo, now, PAGE);
  for (const item of items) if (!(await waits(item.workspaceId))) return yield item;
  if (items.length < PAGE) return;
  for (let after = 0; ;) {
    const workspaces = await workspacesDue(readModels, toDo, now, PAGE, after);
    for (const workspaceId of workspaces)
      if (!(await waits(workspaceId))) yield* await dueItems(readModels, toDo, now, 1, workspaceId);
    if (workspaces.length < PAGE) return;
    after = workspaces.at(-1) ?? 0;
  }
}

/** The due work of each of these processes, by its name. */
export async function dueOfEach(
  host: Parameters<typeof dueFigures>[0],
  processes: readonly Process[],
  events: Pick<EventStore, 'lastEvent'>,
): Promise<readonly (DueFigures & { readonly name: string })[]> {
  const recordedAt = async (position: string): Promise<Date | null> => {
    const recorded = (await events.lastEvent(position))?.metadata['recordedAt'];
    return recorded === undefined ? null : new Date(recorded);
  };
  return Promise.all(
    processes.map(async (process) => ({
      name: process.name,
      ...(await dueFigures(host, process, recordedAt)),
    })),
  );
}

/** Whether an item is due that does not wait. */
export async function hasDueWork(host: ProcessHost, processes: readonly Process[]): Promise<boolean> {
  for (const process of processes) if (await isAnyDue(host, process)) return true;
  return false;
}

/** The processes with due items that do not wait, each with the number of its due items. */
export async function dueByName(
  host: ProcessHost,
  processes: readonly Process[],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const process of processes) {
    if (!(await isAnyDue(host, process))) continue;
    const items = await dueCount(host.readModels, process.toDo, host.clock.now());
    found.push(`${process.name} (${items})`);
  }
  return found;
}

async function isAnyDue(host: ProcessHost, process: Process): Promise<boolean> {
  const { done } = await thatRun(host, process, host.clock.now()).next();
  return done !== true;
}
