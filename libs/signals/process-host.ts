import type { Coverage } from './detection/coverage.port.js';
import type { Researcher } from './detection/research/researcher.port.js';

declare module '#process-engine/process.js' {
  interface ProcessHost {
    readonly coverage: Coverage;
    readonly researcher: Researcher;
  }
}
