import type { OperatorWork } from '#ops/support/operator-command.js';

/** The background work of a host that runs none. */
export const noWork: OperatorWork = {
  drain: async () => ({ processed: 0 }),
  due: async () => [],
  nextDueAt: async () => null,
};
