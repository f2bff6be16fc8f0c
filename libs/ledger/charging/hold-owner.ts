import type { Commands } from '#kernel/commands/commands.js';
import type { CommandContext } from '#kernel/commands/decider.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { Cause } from '#ledger/domain/credits.events.js';
import type { CreditMovementDocument } from '#projections/ledger/credit-movements/credit-movements.projection.js';

/** What an owner may use to end its work. */
export type OwnerHost = { readonly commands: Commands; readonly readModels: ReadModels };

/** Holds of one piece of work that got no end in time, oldest first, at least one. */
export type ExpiredHolds = {
  readonly workspaceId: number;
  readonly holds: readonly CreditMovementDocument[];
};

/**
 * A kind of work that holds credits, as the sweep of expired holds needs it (ledger rule 7). Holds of an unregistered
 * kind are not swept: their work may be alive, and only a version of the program that knows the kind can end it.
 */
export type HoldOwner = {
  /** The kind of cause that its holds name. */
  readonly kind: Cause['kind'];
  /** Names the piece of work that a hold belongs to: its holds end together. */
  readonly workOf: (hold: CreditMovementDocument) => string;
  /** It waits while its workspace is blocked: that time is no standstill (OP-52). */
  readonly restsWhileBlocked?: boolean;
  /** Models that its answers come from: while one of them is parked for a workspace, the sweep waits there. */
  readonly models: readonly string[];
  /**
   * Ends the work for good: nothing more is recorded from here on. Again: nothing happens. `context` names the
   * commands by their step.
   */
  readonly fence: (
    host: OwnerHost,
    expired: ExpiredHolds,
    context: (step: string) => CommandContext,
  ) => Promise<void>;
  /** Movements of what the work has recorded, asked behind the fence: these are captured, the rest is given back. */
  readonly recorded: (host: OwnerHost, expired: ExpiredHolds) => Promise<ReadonlySet<number>>;
};
