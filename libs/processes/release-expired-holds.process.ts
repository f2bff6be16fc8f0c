import type { CommandContext } from '#kernel/commands/decider.js';
import { endExpiredHolds, findExpiredHolds, keyOfExpired, nextExpiryAt } from '#charging/expired-holds.js';
import type { ExpiredHolds, HoldOwner } from '#charging/hold-owner.js';
import { holdOwners } from '#charging/hold-owners.js';
import { creditMovements } from '#projections/credit-movements/credit-movements.projection.js';
import type { Process } from './process.js';

const NAME = 'release-expired-holds';

/** Ends holds that got no end for 24 hours, those of each piece of work together. */
export const releaseExpiredHolds = releaseExpiredHoldsOf(holdOwners);

/** The sweep for these kinds of work; holds of another kind are not looked at. */
export function releaseExpiredHoldsOf(owners: readonly HoldOwner[]): Process<ExpiredHolds> {
  const ownerOf = ({ kind }: ExpiredHolds): HoldOwner => {
    const owner = owners.find((known) => known.kind === kind);
    if (owner === undefined) throw new Error(`nobody owns holds of the kind ${kind}`);
    return owner;
  };
  return {
    name: NAME,
    due: async (host, now, limit) => (await findExpiredHolds(host, owners, now)).slice(0, limit),
    nextDueAt: (host, now) => nextExpiryAt(host, owners, now),
    key: keyOfExpired,

    // A model that stopped would show the same holds as due for ever.
    async waits(host, expired) {
      const models = [creditMovements.name, ...ownerOf(expired).models];
      const parked = await Promise.all(models.map((name) => host.isParked(name, expired.workspaceId)));
      return parked.includes(true);
    },

    act: (host, expired) =>
      endExpiredHolds(host, ownerOf(expired), expired, host.clock.now(), (step) => contextOf(expired, step)),
  };
}

function contextOf({ workspaceId, holds }: ExpiredHolds, step: string): CommandContext {
  const correlationId = `expire:${workspaceId}:${holds[0]?.id ?? 0}`;
  return {
    commandId: `${correlationId}:${step}`,
    actor: { kind: 'process', id: NAME },
    workspaceId,
    correlationId,
  };
}
