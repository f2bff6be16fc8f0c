import type { CommandContext } from '#kernel/commands/decider.js';
import type { Cause } from '#ledger/domain/credits.events.js';
import type { CreditMovementDocument } from '#projections/ledger/credit-movements/credit-movements.projection.js';
import type { ProcessHost } from '#process-engine/process.js';

/** What an owner may use to end its work. */
export type OwnerHost = Pick<ProcessHost, 'commands' | 'readModels'>;

/** Expired holds of one piece of work, oldest first, at least one. */
export type ExpiredHolds = {
  readonly workspaceId: number;
  readonly holds: readonly CreditMovementDocument[];
};

/**
 * A kind of work that holds credits, as the sweep of expired holds needs it (ledger rule 7). Holds of an unregistered
 * kind are not swept: their work may still run, and only a version of the program that knows the kind can end it.
 */
export type HoldOwner = {
  /** The kind of cause in its holds. */
  readonly kind: Cause['kind'];
  /** The id of the piece of work that a hold belongs to. All holds of one piece of work end together. */
  readonly workOf: (hold: CreditMovementDocument) => string;
  /** True if the work waits while its workspace is blocked; that time does not count as age (OP-52). */
  readonly restsWhileBlocked?: boolean;
  /**
   * The read models that the owner uses. While one of them is parked for a workspace, the sweep skips that workspace.
   */
  readonly models: readonly string[];
  /**
   * Ends the work for good: it can record nothing more. Idempotent. `context` derives the command ids from the step.
   */
  readonly fence: (
    host: OwnerHost,
    expired: ExpiredHolds,
    context: (step: string) => CommandContext,
  ) => Promise<void>;
  /** Movements of recorded results, read after the fence. They are captured; the rest is released. */
  readonly recorded: (host: OwnerHost, expired: ExpiredHolds) => Promise<ReadonlySet<number>>;
};
