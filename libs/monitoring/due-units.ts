import { accountMonitoring } from './domain/account-monitoring.js';
import { monitoringShown, type MonthsPart } from './months-part.js';
import {
  monitoredUnits,
  type MonitoredUnitDocument,
} from '#projections/monitoring/monitored-units/monitored-units.projection.js';

/**
 * Due units of a workspace, in pages read one after the other; `late` if the read models are late, and then no more
 * pages.
 */
export async function* unitsDue(
  part: MonthsPart,
  status: 'monitored' | 'not_covered',
): AsyncGenerator<readonly MonitoredUnitDocument[] | 'late'> {
  const now = part.host.clock.now().toISOString();
  for (let after: readonly string[] | null = null; ;) {
    part.signal?.throwIfAborted();
    const page: readonly MonitoredUnitDocument[] | null = await wholePage(part, { status, now, after });
    if (page === null) yield 'late';
    const last = page?.at(-1);
    if (page === null || last === undefined) return;
    part.left -= page.length;
    yield page;
    after = [last.lapsesAt ?? '', last.unit];
  }
}

type Page = {
  readonly status: 'monitored' | 'not_covered';
  readonly now: string;
  readonly after: readonly string[] | null;
};

/**
 * A page of due units. Of units not tried yet it excludes those of an incomplete beginning, and those that fell due
 * after it. Null if the read models are late, because they may show only a part of a beginning.
 */
async function wholePage(
  part: MonthsPart,
  { status, now, after }: Page,
): Promise<readonly MonitoredUnitDocument[] | null> {
  const { host, task, step } = part;
  for (;;) {
    const before = await monitoringShown(host, task);
    if (before.isLate) return null;
    const page = await host.readModels.find(monitoredUnits, {
      where: { workspaceId: task.workspaceId, status, rests: null, lapsesAt: { lte: now } },
      sort: [
        ['lapsesAt', 'asc'],
        ['unit', 'asc'],
      ],
      limit: step,
      ...(after === null ? {} : { after }),
    });
    const isSame = await host.commands.load(
      accountMonitoring,
      String(task.workspaceId),
      ({ beginnings }) => beginnings === before.beginnings,
    );
    // A beginning started or was completed while the page was read.
    if (!isSame) continue;
    const { openSince } = before;
    if (status === 'not_covered') return page;
    const payable = page.filter(({ lapsesAt }) => openSince === null || (lapsesAt ?? '') < openSince);
    part.isWithheld ||= payable.length < page.length;
    return payable;
  }
}
