import { MICROS_PER_CREDIT, type Credits } from '#kernel/values/credits.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { notCovered } from './domain/coverage-facts.js';
import { pricesToShow } from '#catalogue/workspace-prices.js';
import {
  availableCredits,
  creditBalances,
} from '#projections/ledger/credit-balances/credit-balances.projection.js';
import { monitoredUnits } from '#projections/monitoring/monitored-units/monitored-units.projection.js';
import { personas } from '#projections/lists/personas/personas.projection.js';

/** The number of accounts that one business unit has monitored, and the number not covered. */
type UnitCounts = { readonly monitored: number; readonly notCovered: number };

/** The totals of monitoring in a workspace, or for one of its business units. */
export type MonitoringSummary = UnitCounts & {
  readonly isBilled: boolean;
  /** 0 if the workspace is not billed or there is no price yet. */
  readonly price: Credits;
  readonly notCoveredSince: string | null;
  /** The missing credits for units that are not covered because of the balance, in whole credits, rounded up. */
  readonly shortfallCredits: number;
  /** Every active business unit, by id. */
  readonly byPersona: readonly (UnitCounts & { readonly personaId: number })[];
};

/** Sums up monitoring (OP-27); `personaId` null: for all business units. Null for one that is not active. */
export async function monitoringSummary(
  readModels: ReadModels,
  workspaceId: number,
  personaId: number | null,
  now: Date,
): Promise<MonitoringSummary | null> {
  const [active, groups, forCredits, priceOf, balance] = await Promise.all([
    readModels.find(personas, {
      where: { workspaceId, archived: false },
      sort: [['id', 'asc']],
    }),
    readModels.groups(
      monitoredUnits,
      { where: { workspaceId, status: { in: ['monitored', 'not_covered'] } } },
      { by: ['status', 'personaId'] },
    ),
    readModels.groups(
      monitoredUnits,
      { where: { workspaceId, status: 'not_covered', refusal: 'credits' } },
      { by: ['personaId'] },
    ),
    pricesToShow(readModels, workspaceId),
    readModels.get(creditBalances, String(workspaceId)),
  ]);
  if (personaId !== null && !active.some(({ id }) => id === personaId)) return null;
  const countOf = (status: string, id: number): number =>
    groups.find(({ by }) => by[0] === status && by[1] === id)?.count ?? 0;
  const byPersona = active.map(({ id }) => ({
    personaId: id,
    monitored: countOf('monitored', id),
    notCovered: countOf('not_covered', id),
  }));
  const shown = byPersona.filter((unit) => personaId === null || unit.personaId === personaId);
  const notCovered = sum(shown.map((unit) => unit.notCovered));
  const isShown = (id: unknown): boolean => shown.some((unit) => unit.personaId === id);
  const unpaid = sum(forCredits.filter(({ by }) => isShown(by[0])).map(({ count }) => count));
  const billing = balance?.billing ?? 'self';
  const price = billing === 'exempt' ? 0n : (priceOf('bucket:essential') ?? 0n);
  const free = balance === null ? 0n : availableCredits(balance, now);
  return {
    isBilled: billing !== 'exempt',
    price,
    monitored: sum(shown.map((unit) => unit.monitored)),
    notCovered,
    notCoveredSince: await oldestNotCovered(
      readModels,
      workspaceId,
      shown.filter((unit) => unit.notCovered > 0).map((unit) => unit.personaId),
    ),
    shortfallCredits: billing === 'self' ? missing(price * BigInt(unpaid), free) : 0,
    byPersona,
  };
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

function missing(needed: Credits, free: Credits): number {
  const short = needed - free;
  return short <= 0n ? 0 : Number((short + MICROS_PER_CREDIT - 1n) / MICROS_PER_CREDIT);
}

/** Of units of active business units only: those of an archived one are stopped in the background. */
async function oldestNotCovered(
  readModels: ReadModels,
  workspaceId: number,
  personaIds: readonly number[],
): Promise<string | null> {
  const oldest = await Promise.all(
    personaIds.map((personaId) =>
      readModels.find(monitoredUnits, {
        where: { workspaceId, status: 'not_covered', personaId },
        sort: [
          ['lapsesAt', 'asc'],
          ['unit', 'asc'],
        ],
        limit: 1,
      }),
    ),
  );
  const since = oldest.flat().flatMap((unit) => notCovered(unit)?.since ?? []);
  return since.sort()[0] ?? null;
}
