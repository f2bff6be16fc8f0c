import type { CommandContext } from '#kernel/commands/decider.js';
import { sha256Hex } from '#kernel/values/hash.js';
import { creditAccount } from '#domain/credits/credit-account.js';
import { releaseExpired } from '#domain/credits/settle-credits.js';
import {
  creditMovements,
  type CreditMovementDocument,
} from '#projections/credit-movements/credit-movements.projection.js';
import type { ExpiredHolds, HoldOwner, OwnerHost } from './hold-owner.js';

/** How long a hold may stay without an end (OP-64). */
export const HOLD_LIFETIME_MS = 24 * 60 * 60 * 1_000;

/** Holds looked at in one go: what one command ends stays far under the size of an append. */
const PAGE = 500;

/** Held at this time or before, a hold is due. */
const lastDueAt = (now: Date): string => new Date(now.getTime() - HOLD_LIFETIME_MS).toISOString();

/** The holds of these owners that are due, piece of work by piece of work, the oldest hold first. */
export async function findExpiredHolds(
  { readModels }: Pick<OwnerHost, 'readModels'>,
  owners: readonly HoldOwner[],
  now: Date,
): Promise<readonly ExpiredHolds[]> {
  const pages = await Promise.all(
    owners.map(async (owner) => {
      const holds = await readModels.find<CreditMovementDocument>(creditMovements, {
        where: { status: 'held', causeKind: owner.kind, createdAt: { lte: lastDueAt(now) } },
        sort: [
          ['createdAt', 'asc'],
          ['id', 'asc'],
        ],
        limit: PAGE,
      });
      return holds.map((hold) => ({ owner, hold }));
    }),
  );
  const works = new Map<string, ExpiredHolds & { readonly holds: CreditMovementDocument[] }>();
  for (const { owner, hold } of pages.flat()) {
    const { kind } = owner;
    const { workspaceId } = hold;
    const work = owner.workOf(hold);
    const key = keyOfExpired({ workspaceId, kind, work });
    const known = works.get(key);
    if (known === undefined) works.set(key, { workspaceId, kind, work, holds: [hold] });
    else known.holds.push(hold);
  }
  const heldSince = ({ holds }: ExpiredHolds): string => holds[0]?.createdAt ?? '';
  return [...works.values()].sort((left, right) => (heldSince(left) < heldSince(right) ? -1 : 1));
}

export const keyOfExpired = ({ workspaceId, kind, work }: Omit<ExpiredHolds, 'holds'>): string =>
  `${workspaceId}:${kind}:${work}`;

/** When the next hold of these owners falls due after `now`; null while none is open. */
export async function nextExpiryAt(
  { readModels }: Pick<OwnerHost, 'readModels'>,
  owners: readonly HoldOwner[],
  now: Date,
): Promise<Date | null> {
  const oldest = await Promise.all(
    owners.map(({ kind }) =>
      readModels.find<CreditMovementDocument>(creditMovements, {
        where: { status: 'held', causeKind: kind, createdAt: { gt: lastDueAt(now) } },
        sort: [
          ['createdAt', 'asc'],
          ['id', 'asc'],
        ],
        limit: 1,
      }),
    ),
  );
  const heldAt = oldest.flat().map(({ createdAt }) => Date.parse(createdAt));
  return heldAt.length === 0 ? null : new Date(Math.min(...heldAt) + HOLD_LIFETIME_MS);
}

/**
 * Ends holds that are due at `now`. Their work is fenced first, so that nothing more can be recorded; what it had
 * recorded is captured and the rest given back, at the same decision point as a late capture: one of them wins.
 */
export async function endExpiredHolds(
  host: OwnerHost,
  owner: HoldOwner,
  expired: ExpiredHolds,
  now: Date,
  context: (step: string) => CommandContext,
): Promise<void> {
  await owner.fence(host, expired, context);
  const recorded = await owner.recorded(host, expired);
  const movementIds = expired.holds.map(({ id }) => id);
  // Due is the whole instant at which the time is over.
  const heldBefore = new Date(now.getTime() - HOLD_LIFETIME_MS + 1).toISOString();
  const decision = releaseExpired({ movementIds, heldBefore, recorded });
  await host.commands.handle(creditAccount, String(expired.workspaceId), decision, {
    context: context(`end:${sha256Hex(movementIds.join()).slice(0, 32)}`),
    answer: () => null,
  });
}
