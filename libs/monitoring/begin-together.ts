import { contextOfStep } from '#kernel/commands/decider.js';
import { accountMonitoring, begins, begun, type Beginning } from './domain/account-monitoring.js';
import type { MonitoringHost, MonitoringTask } from './monitoring-host.js';
import { beginsUnits, writeRequests, type RequestChange } from './write-requests.js';

/** The reason of a beginning: a list, or (null) picks. */
type Cause = number | null;

/**
 * Requests of a list or of picks that began and may be incomplete. Must be read before the list or the picks: a caller
 * that then writes all requests of the list has completed these as well.
 */
export function openBeginnings(
  { commands }: Pick<MonitoringHost, 'commands'>,
  workspaceId: number,
  cause: Cause,
): Promise<readonly Beginning[]> {
  return commands.load(accountMonitoring, String(workspaceId), ({ beginning }) =>
    beginning.filter(({ listId }) => listId === cause).map((each) => ({ ...each })),
  );
}

/**
 * Writes requests that begin together: all have the same time, and none is paid before all are written (OP-27).
 * `joined` are beginnings that these changes complete; they determine the time. If it throws, the process that follows
 * lists and picks completes the beginning.
 */
export async function beginTogether(
  host: MonitoringHost,
  task: MonitoringTask,
  { cause, joined }: { readonly cause: Cause; readonly joined: readonly Beginning[] },
  changes: readonly RequestChange[],
): Promise<'shown' | 'late'> {
  const now = host.clock.now().toISOString();
  const isNew = joined.length === 0 && changes.some(beginsUnits);
  const opened = isNew ? [await open(host, task, cause, now)] : joined;
  const beginsAt = opened.reduce((first, each) => (each.beginsAt < first ? each.beginsAt : first), now);
  const written = await writeRequests(host, task, changes, beginsAt);
  if (opened.length > 0) {
    const ids = opened.map(({ begin }) => begin);
    await host.commands.handle(accountMonitoring, String(task.workspaceId), begun(ids), {
      context: contextOfStep(task.context, `begun:${ids[0]}`),
      waitForReadModels: false,
    });
  }
  return written;
}

async function open(
  { commands }: MonitoringHost,
  task: MonitoringTask,
  cause: Cause,
  now: string,
): Promise<Beginning> {
  const context = contextOfStep(task.context, `begins:${cause ?? 'picks'}`);
  const beginning = { begin: context.commandId, listId: cause, beginsAt: now };
  const { answer } = await commands.handle(accountMonitoring, String(task.workspaceId), begins(beginning), {
    context,
    answer: (state) => state.beginning.find(({ begin }) => begin === beginning.begin)?.beginsAt ?? now,
    waitForReadModels: false,
  });
  return { ...beginning, beginsAt: answer };
}
