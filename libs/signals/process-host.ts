import type { Coverage } from './detection/coverage.port.js';
import type { Researcher } from './detection/research/researcher.port.js';
import type { TopAccounts } from './detection/top-accounts.port.js';

declare module '#process-engine/process.js' {
  interface ProcessHost {
    readonly coverage: Coverage;
    readonly topAccounts: TopAccounts;
    readonly researcher: Researcher;
  }
}
