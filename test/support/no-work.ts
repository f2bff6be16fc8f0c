import type { OperatorWork } from '#ops/support/operator-command.js';
import { chargeOrigins } from '#runtime/charge-origins.js';
import type { Coverage } from '#signals/detection/coverage.port.js';
import { hasCapScope } from '#signals/launching/cap-scope.js';
import { noSources } from './no-sources.js';

/** The background work of a host that runs none. */
const noWork: OperatorWork = {
  drain: async () => ({ processed: 0 }),
  due: async () => [],
  nextDueAt: async () => null,
};

/** Parts of an operator's host that has neither background work, sources, an API nor a manual clock. */
export const quietOperatorHost = {
  isAlone: true,
  chargeOrigins,
  hasCapScope,
  networkBaseUrl: 'https://www.network.example',
  work: noWork,
  manualClock: null,
  apiKeyUses: { lastUses: async () => new Map<number, string>() },
  sources: noSources,
  apiKeyRevoked: () => undefined,
};

/** No account is monitored. */
export const nothingCovered: Coverage = { coveredAccounts: async () => [] };
