import { creditAccount } from '#ledger/domain/credit-account.js';
import { accountMonitoring, type ReasonsSeen } from './domain/account-monitoring.js';
import { MAX_UNITS_AT_ONCE } from './domain/account-monitoring.events.js';
import type { MonitoringHost, MonitoringTask } from './monitoring-host.js';

const NOTHING_SEEN: ReasonsSeen = { wakes: 0, reasons: 0 };

/** The state of a part of the work: the months left, and whether it has used the ledger. */
export type MonthsPart = {
  readonly host: MonitoringHost;
  readonly task: MonitoringTask;
  readonly signal: AbortSignal | undefined;
  readonly step: number;
  /**
   * The ledger entry after which the payments are prepared, read before the requests and their order. A later stop or
   * grant makes the part begin again.
   */
  mark: bigint;
  seen: ReasonsSeen;
  left: number;
  hasCharged: boolean;
  /** Whether due units were left out because of an incomplete beginning. */
  isWithheld: boolean;
};

export const partOf = (host: MonitoringHost, task: MonitoringTask): MonthsPart => ({
  host,
  task,
  signal: undefined,
  step: MAX_UNITS_AT_ONCE,
  mark: -1n,
  seen: NOTHING_SEEN,
  left: Number.POSITIVE_INFINITY,
  hasCharged: false,
  isWithheld: false,
});

/**
 * Waits until the read models have applied the monitoring events of the workspace; `late` if they have not in time.
 */
export async function monitoringShown({ commands }: MonitoringHost, task: MonitoringTask) {
  const { answer, late = false } = await commands.look(
    accountMonitoring,
    String(task.workspaceId),
    ({ retryAt, beginning, beginnings }) => ({
      retryAt,
      beginnings,
      openSince: beginning.map(({ beginsAt }) => beginsAt).sort()[0] ?? null,
    }),
    { waitForReadModels: true },
  );
  return { ...answer, isLate: late };
}

/** Waits until the read models show the current ledger; true if they are late. */
export async function ledgerShown({ commands }: MonitoringHost, task: MonitoringTask): Promise<boolean> {
  const { late = false } = await commands.look(creditAccount, String(task.workspaceId), () => null, {
    waitForReadModels: true,
  });
  return late;
}
