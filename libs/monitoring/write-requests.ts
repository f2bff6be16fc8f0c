import { contextOfStep, workspaceScoped } from '#kernel/commands/decider.js';
import { inPiecesOfWeight } from '#kernel/values/pieces.js';
import { monitoredAccount, wantBecauseOf } from './domain/monitored-account.js';
import { sourceKey, type MonitoringSource } from './domain/monitoring.events.js';
import type { MonitoringHost, MonitoringTask } from './monitoring-host.js';
import { standingSources } from './standing-sources.js';

/** The business units that request an account because of one reason, before and after. */
export type RequestChange = {
  readonly source: MonitoringSource;
  readonly companyId: number;
  readonly before: readonly number[];
  readonly after: ReadonlySet<number>;
};

/** Other callers wait for the commands of a piece and for its read models. */
const ACCOUNTS_AT_ONCE = 250;
const UNITS_AT_ONCE = 250;

/** True if the same business units request the account afterwards. */
export const isSameRequest = ({ before, after }: Pick<RequestChange, 'before' | 'after'>): boolean =>
  changedUnits({ before, after }) === 0;

/** True if a business unit begins to request the account. */
export const beginsUnits = ({ before, after }: RequestChange): boolean =>
  [...after].some((id) => !before.includes(id));

/** The number of business units that begin or cease to request the account. */
export function changedUnits({ before, after }: Pick<RequestChange, 'before' | 'after'>): number {
  const kept = before.filter((id) => after.has(id)).length;
  return before.length + after.size - 2 * kept;
}

/**
 * Writes the changes on the streams of their accounts; what begins does so at `beginsAt`. Requests that their list or pick has stopped
 * meanwhile are left to the next run. `late`: the read models have not applied all of it in time.
 */
export async function writeRequests(
  host: MonitoringHost,
  task: MonitoringTask,
  changes: readonly RequestChange[],
  beginsAt: string,
): Promise<'shown' | 'late'> {
  let isLate = false;
  const endsAt = host.clock.now().toISOString();
  for (const piece of inPiecesOfWeight(changes, ACCOUNTS_AT_ONCE, UNITS_AT_ONCE, changedUnits)) {
    const isStanding = await standingSources(
      host,
      task.workspaceId,
      piece.map(({ source }) => source),
    );
    const standing = piece.filter(
      ({ source, after }) => after.size === 0 || [...after].some((id) => isStanding(source, id)),
    );
    const handled = await Promise.all(
      standing.map(({ source, companyId, after }) =>
        host.commands.handle(
          monitoredAccount,
          workspaceScoped(task.workspaceId, companyId),
          wantBecauseOf(source, after, after.size === 0 ? endsAt : beginsAt),
          // Each is awaited, because concurrent commands may be written in any order.
          { context: contextOfStep(task.context, `want:${sourceKey(source)}`) },
        ),
      ),
    );
    isLate ||= handled.some(({ late }) => late === true);
  }
  return isLate ? 'late' : 'shown';
}
