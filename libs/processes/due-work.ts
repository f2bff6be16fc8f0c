import { isWaiting, type Process, type ProcessHost } from './process.js';
import { dueItems } from './to-do.js';

const PAGE = 8;

/** Whether anything is due that does not wait. */
export async function hasDueWork(host: ProcessHost, processes: readonly Process[]): Promise<boolean> {
  for (const process of processes) if (await isAnyDue(host, process)) return true;
  return false;
}

/** More items are asked for while all of them wait. */
async function isAnyDue(host: ProcessHost, process: Process): Promise<boolean> {
  const waiting = new Set<number>();
  for (let limit = PAGE; ; limit *= 2) {
    const items = await dueItems(host.readModels, process.toDo, host.clock.now(), limit);
    for (const { workspaceId } of items) {
      if (waiting.has(workspaceId)) continue;
      if (!(await isWaiting(host, process, workspaceId))) return true;
      waiting.add(workspaceId);
    }
    if (items.length < limit) return false;
  }
}
