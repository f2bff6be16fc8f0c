import type { LedgerReader } from './history/ledger-reader.js';

declare module '#process-engine/process.js' {
  interface ProcessHost {
    readonly ledgers: LedgerReader;
  }
}
