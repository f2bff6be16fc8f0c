import type { Cause, CreditPayloads, Payer } from '#ledger/domain/credits.events.js';
import { forNotes } from '#ledger/domain/notes-facts.js';
import type { Recorded } from '#kernel/events/event.js';
import { projection } from '#kernel/projections/projection.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** One charge from its hold to its end. After the hold only `status` and the members of the end change. */
export type CreditMovementDocument = {
  readonly id: number;
  readonly workspaceId: number;
  readonly createdAt: string;
  readonly status: 'held' | 'captured' | 'released';
  readonly endedAt: string | null;
  readonly endReason: string | null;
  readonly product: string;
  /** Micro-credits as stored text. */
  readonly credits: string;
  readonly payer: Payer;
  readonly key: string;
  readonly causeKind: Cause['kind'];
  /** The kind of an open hold; null once it has ended, so that a search for open holds does not read ended ones. */
  readonly openKind: Cause['kind'] | null;
  readonly launchId: number | null;
  readonly runId: number | null;
  /** The run that shows the charge: of a later live pass the first one of its day (LIV-05). */
  readonly shownRunId: number | null;
  readonly setupId: number | null;
  readonly agentId: number | null;
  readonly subject: string | null;
  readonly requestId: number | null;
  readonly companyId: number | null;
  readonly personaId: number | null;
  readonly month: string | null;
  /** Ledger entries of the hold and of the end. */
  readonly heldRevision: number;
  readonly endedRevision: number | null;
};

export const creditMovementKey = (id: number): string => String(id);

/**
 * For an entry that makes no document. It is handled so that the checkpoint passes every entry of a ledger, because
 * only then a missing key proves that no such charge exists.
 */
const asItWas = (document: CreditMovementDocument | null): CreditMovementDocument | null => document;

/**
 * The rows of usage, paged by `createdAt` and `id`, both descending. A ledger also looks up forgotten charge keys
 * here, so a parked workspace is not charged on incomplete rows.
 */
export const creditMovements = projection<CreditMovementDocument, CreditPayloads>()({
  name: 'credit-movements',
  version: 10,
  compact: true,
  instants: ['createdAt'],
  indexes: {
    newestFirst: ['workspaceId', 'createdAt', 'id'],
    byKey: ['workspaceId', 'key'],
    bySetup: ['workspaceId', 'setupId', 'createdAt', 'id'],
    heldForSetup: ['workspaceId', 'setupId', 'createdAt', 'credits'],
    releasedForSetup: ['workspaceId', 'setupId', 'status', 'createdAt', 'credits'],
    byAgent: ['workspaceId', 'agentId', 'createdAt', 'id'],
    byRun: ['workspaceId', 'shownRunId', 'createdAt', 'id'],
    byLaunch: ['workspaceId', 'launchId', 'createdAt', 'id'],
    byCompany: ['workspaceId', 'companyId', 'createdAt', 'id'],
    oldestOpen: ['openKind', 'createdAt', 'id'],
  },
  // A hold names at most one cause. An index over all holds would write an index page per workspace for causes it
  // does not have.
  onlyWith: {
    bySetup: 'setupId',
    heldForSetup: 'setupId',
    releasedForSetup: 'setupId',
    byAgent: 'agentId',
    byRun: 'shownRunId',
    byLaunch: 'launchId',
    byCompany: 'companyId',
    oldestOpen: 'openKind',
  },
  critical: true,
  key: (event) =>
    event.type === 'CreditsHeld' || event.type === 'CreditsCaptured' || event.type === 'CreditsReleased'
      ? creditMovementKey(event.data.movementId)
      : null,
  on: {
    CreditsHeld: (_none, event) => {
      const { movementId, credits, product, payer, key, cause } = event.data;
      return {
        id: movementId,
        workspaceId: workspaceIdOf(event),
        createdAt: recordedAtOf(event),
        status: 'held',
        endedAt: null,
        endReason: null,
        product,
        credits,
        payer,
        key,
        causeKind: cause.kind,
        openKind: cause.kind,
        launchId: cause.launchId ?? null,
        runId: cause.runId ?? null,
        shownRunId: cause.shownRunId ?? cause.runId ?? null,
        setupId: cause.setupId ?? null,
        agentId: cause.agentId ?? null,
        subject: cause.subject ?? null,
        requestId: cause.requestId ?? null,
        companyId: cause.companyId ?? null,
        personaId: cause.personaId ?? null,
        month: cause.month ?? null,
        heldRevision: Number(event.revision),
        endedRevision: null,
      };
    },
    CreditsCaptured: (movement, event) => ended(movement, 'captured', event),
    CreditsReleased: (movement, event) => ended(movement, 'released', event),
    BillingModeSet: asItWas,
    CreditsGranted: asItWas,
    LotGranted: asItWas,
    LotExpired: asItWas,
    OpeningImported: asItWas,
    OpeningReversed: asItWas,
    CreditsWithdrawn: asItWas,
    CreditsAdjusted: asItWas,
    LotAdjusted: asItWas,
    ...forNotes(asItWas),
  },
});

function ended(
  movement: CreditMovementDocument | null,
  status: 'captured' | 'released',
  event: Recorded<CreditPayloads['CreditsCaptured']>,
): CreditMovementDocument {
  const { movementId, reason = null } = event.data;
  // A row with an end and no hold would be a sum without an explanation, so the workspace is parked.
  if (movement === null) throw new Error(`movement ${movementId} ended without a hold`);
  return {
    ...movement,
    status,
    openKind: null,
    endedAt: recordedAtOf(event),
    endReason: reason,
    endedRevision: Number(event.revision),
  };
}
