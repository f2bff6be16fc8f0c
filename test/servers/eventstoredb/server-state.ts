import type { Expected, EventLog } from './event-log.js';
import type { Faults } from './faults.js';

export type SeenAppend = {
  readonly stream: string;
  readonly expected: Expected;
  readonly ids: readonly string[];
};
export type SeenSubscription = {
  readonly from: string;
  readonly prefixes: readonly string[];
  readonly regex: string;
};

/** State shared by the services of one running server. */
export type ServerState = {
  readonly log: EventLog;
  readonly faults: Faults;
  readonly leader: { readonly host: string; readonly port: number };
  /** Every append that arrived, with any outcome. */
  readonly seenAppends: SeenAppend[];
  readonly seenSubscriptions: SeenSubscription[];
  /** The credentials that calls brought with them. */
  readonly seenCredentials: string[];
  /** Current subscriptions, and the numbers of finite reads and of events sent so far. */
  readonly traffic: { subscriptions: number; reads: number; sentEvents: number; checkpoints: number };
  /** Calls back when all writes so far are on the disk. */
  readonly whenCommitted: (then: () => void) => void;
  /** Ends the process, or all connections at once when the server runs inside a test. */
  readonly kill: () => void;
};
