import { endExpiredHolds, HOLD_LIFETIME_MS } from './expired-holds.js';
import type { ExpiredHolds, HoldOwner } from './hold-owner.js';
import {
  creditMovements,
  type CreditMovementDocument,
} from '#projections/ledger/credit-movements/credit-movements.projection.js';
import type { Process } from '#process-engine/process.js';
import { processContext } from '#kernel/commands/process-context.js';
import { dueItems, timedToDo } from '#process-engine/to-do.js';

/** The maximum number of holds in one run. The events of one command stay far below the size limit of an append. */
const PAGE = 500;

const rests = ({ restsWhileBlocked = false }: HoldOwner): boolean => restsWhileBlocked;

/**
 * Sweeps that end holds of these kinds of work after 24 hours. If the work waits while its workspace is blocked, the
 * 24 hours start again when the workspace is unblocked, because the work continues then.
 */
export function expiredHoldsSweeps(owners: readonly HoldOwner[]): {
  readonly releaseExpiredHolds: Process<CreditMovementDocument>;
  readonly releaseRestedHolds: Process<CreditMovementDocument>;
} {
  return {
    releaseExpiredHolds: releaseExpiredHoldsOf(
      'release-expired-holds',
      owners.filter((owner) => !rests(owner)),
    ),
    releaseRestedHolds: {
      ...releaseExpiredHoldsOf('release-rested-holds', owners.filter(rests)),
      restsWhileBlocked: true,
      restsAfterBlockMs: HOLD_LIFETIME_MS,
    },
  };
}

/** The sweep for these kinds of work. It ignores holds of other kinds. */
export function releaseExpiredHoldsOf(
  name: string,
  owners: readonly HoldOwner[],
): Process<CreditMovementDocument> {
  const toDo = timedToDo(creditMovements, {
    where: owners.map(({ kind }) => ({ openKind: kind })),
    dueAt: 'createdAt',
    afterMs: HOLD_LIFETIME_MS,
    thenBy: 'id',
  });
  const ownerOf = ({ causeKind }: CreditMovementDocument): HoldOwner => {
    const owner = owners.find(({ kind }) => kind === causeKind);
    if (owner === undefined) throw new Error(`nobody owns holds of the kind ${causeKind}`);
    return owner;
  };
  // All holds of one piece of work end together, so each of them stands for all.
  const workOf = (hold: CreditMovementDocument): string =>
    `${hold.workspaceId}:${hold.causeKind}:${ownerOf(hold).workOf(hold)}`;
  return {
    name,
    lane: 'timers',
    atOnce: 6,
    toDo,
    key: workOf,
    waitsFor: [creditMovements.name, ...new Set(owners.flatMap(({ models }) => models))],

    async act(host, hold) {
      const { workspaceId } = hold;
      const now = host.clock.now();
      const due = await dueItems(host.readModels, toDo, now, PAGE, workspaceId);
      const holds = due.filter((other) => workOf(other) === workOf(hold));
      const expired: ExpiredHolds = { workspaceId, holds: holds.length === 0 ? [hold] : holds };
      const work = `expire:${workspaceId}:${expired.holds[0]?.id ?? 0}`;
      await endExpiredHolds(host, ownerOf(hold), expired, now, (step) =>
        processContext(name, workspaceId, work, step),
      );
    },
  };
}
