import type { WebhookDesk } from '#delivery/webhooks/webhook-desk.js';
import type { FeedSource } from '#delivery/event-feed.js';
import type { Cursors } from '#http/cursors.js';
import type { Commands } from '#kernel/commands/commands.js';
import type { Ids } from '#kernel/commands/ids.js';
import type { Clock } from '#kernel/ports/clock.js';
import type { ReadModelProgress } from '#kernel/ports/progress.port.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { ChargeOrigin } from '#ledger/answers/charge-origin.js';
import type { SignalsOfCharges } from '#ledger/answers/signals-of-charges.js';
import type { HasCapScope } from '#ledger/charging/cap-scopes.port.js';
import type { MonthsDue } from '#ledger/forecast/foresee-credits.js';
import type { LedgerReader } from '#ledger/history/ledger-reader.js';
import type { NetworkDirectory } from '#network/network-directory.port.js';
import type { NetworkSource } from '#network/network-source.port.js';
import type { Coverage } from '#signals/detection/coverage.port.js';
import type { ResearchLimits } from '#signals/detection/research/researcher.port.js';
import type { TopAccounts } from '#signals/detection/top-accounts.port.js';
import type { WorkspaceLocks } from '#signals/quoting/workspace-locks.js';

/** Injection token of `ApiPorts`. */
export const PORTS = Symbol('ApiPorts');

/** The parts that the composition passes to the handlers of the api: ports, the ledgers, and a few settings. */
export type ApiPorts = {
  readonly commands: Commands;
  readonly ids: Ids;
  readonly readModels: ReadModels;
  readonly progress: ReadModelProgress;
  readonly locks: WorkspaceLocks;
  readonly clock: Clock;
  readonly network: NetworkSource;
  readonly directory: NetworkDirectory;
  readonly researchLimits: ResearchLimits | null;
  readonly coverage: Coverage;
  readonly topAccounts: TopAccounts;
  readonly ledgers: LedgerReader;
  readonly chargeOrigins: readonly ChargeOrigin[];
  readonly hasCapScope: HasCapScope;
  readonly monthsDue: MonthsDue;
  readonly signalsOfCharges: SignalsOfCharges;
  readonly eventFeed: FeedSource;
  readonly webhooks: WebhookDesk;
  readonly cursors: Cursors;
  /** The base address of the network's own pages, e.g. https://www.network.example. */
  readonly networkBaseUrl: string;
  /** Identity of the log. */
  readonly logId: string;
};
