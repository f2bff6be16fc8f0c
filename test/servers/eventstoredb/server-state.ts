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

/** What the services of one running server share. */
export type ServerState = {
  readonly log: EventLog;
  readonly faults: Faults;
  readonly leader: { readonly host: string; readonly port: number };
  /** Every append that arrived, whatever became of it. */
  readonly seenAppends: SeenAppend[];
  readonly seenSubscriptions: SeenSubscription[];
  /** The credentials that calls brought with them. */
  readonly seenCredentials: string[];
  /** What goes on at this moment, and what was sent so far. */
  readonly traffic: { subscriptions: number; sentEvents: number; checkpoints: number };
  /** Calls back when what was written so far is on the disk. */
  readonly whenCommitted: (then: () => void) => void;
  /** Ends the process, or all connections at once where the server runs inside a test. */
  readonly kill: () => void;
};
