import type { OperatorWork } from '#ops/support/operator-command.js';
import type { Coverage } from '#signals/detection/coverage.port.js';

/** The background work of a host that runs none. */
export const noWork: OperatorWork = {
  drain: async () => ({ processed: 0 }),
  due: async () => [],
  nextDueAt: async () => null,
};

/** No account is monitored. */
export const nothingCovered: Coverage = { coveredAccounts: async () => [] };
