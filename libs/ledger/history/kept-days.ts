import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { creditDays, OLD_HOLDS } from '#projections/ledger/credit-days/credit-days.projection.js';

/** A day of a ledger, and the last entry that moved credits on it, from a read model. */
export type KeptDay = { readonly day: string; readonly revision: number };

/** Up to two days of a ledger, newest first, up to and including a day (`2026-06-01`), from a read model. */
export type KeptDays = (workspaceId: number, upTo: string) => Promise<readonly KeptDay[]>;

/** The days of `credit-days`; none while that view is unavailable, because they only save reads. */
export const keptDays =
  (readModels: Pick<ReadModels, 'find'>): KeptDays =>
  async (workspaceId, upTo) => {
    try {
      return await readModels.find(creditDays, {
        where: { workspaceId, day: { gt: OLD_HOLDS, lte: upTo } },
        sort: [['day', 'desc']],
        limit: 2,
      });
    } catch (error) {
      if (error instanceof StoreUnavailable) return [];
      throw error;
    }
  };
