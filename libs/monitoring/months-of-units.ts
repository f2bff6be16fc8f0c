import { workspaceScoped } from '#kernel/commands/decider.js';
import { monitoredAccount } from './domain/monitored-account.js';
import type { MonitoringSource } from './domain/monitoring.events.js';
import { anchorAt, monthToPay } from './domain/months-facts.js';
import type { MonitoredUnitDocument } from '#projections/monitoring/monitored-units/monitored-units.projection.js';
import type { MonitoringHost } from './monitoring-host.js';
import type { MonthCharge } from './charge-months.js';
import { standingSources } from './standing-sources.js';

/** A unit as its account's stream has it. */
type Wished = { readonly unit: MonitoredUnitDocument; readonly wish: CurrentWish };
type CurrentWish = {
  readonly wantedSince: string | null;
  readonly freeUntil: string | null;
  readonly sources: readonly MonitoringSource[];
};

/** The months that units need now; none for a unit that was stopped or covered since it was read. */
export async function monthsOf(
  host: MonitoringHost,
  workspaceId: number,
  units: readonly MonitoredUnitDocument[],
): Promise<readonly MonthCharge[]> {
  const now = host.clock.now().toISOString();
  const wished = await wishesOf(host, workspaceId, units);
  const sources = wished.flatMap(({ wish }) => wish.sources);
  const isStanding = await standingSources(host, workspaceId, sources);
  return wished
    .filter(({ unit, wish }) => wish.sources.some((source) => isStanding(source, unit.personaId)))
    .flatMap((each) => monthOf(each, now));
}

async function wishesOf(
  { commands }: MonitoringHost,
  workspaceId: number,
  units: readonly MonitoredUnitDocument[],
): Promise<readonly Wished[]> {
  const companyIds = [...new Set(units.map(({ companyId }) => companyId))];
  const accounts = await commands.loadEach(
    monitoredAccount,
    companyIds.map((companyId) => workspaceScoped(workspaceId, companyId)),
    ({ wishes }) =>
      [...wishes].map(([personaId, { wantedSince, freeUntil, sources }]) => ({
        personaId,
        wish: { wantedSince, freeUntil, sources: [...sources.values()] },
      })),
  );
  const byCompany = new Map(
    companyIds.map((companyId, index) => [companyId, accounts[index] ?? []] as const),
  );
  return units.map((unit) => {
    const wishes = byCompany.get(unit.companyId) ?? [];
    return { unit, wish: wishes.find(({ personaId }) => personaId === unit.personaId)?.wish ?? NO_WISH };
  });
}

const NO_WISH: CurrentWish = { wantedSince: null, freeUntil: null, sources: [] };

function monthOf({ unit, wish }: Wished, now: string): readonly MonthCharge[] {
  const { companyId, personaId, lapsesAt, refusal } = unit;
  if (lapsesAt === null) return [];
  if (wish.wantedSince === null || wish.wantedSince > lapsesAt) return [];
  if (wish.freeUntil !== null && wish.freeUntil > lapsesAt) return [];
  const lapse = {
    lapsesAt,
    anchorDay: anchorAt(lapsesAt, unit),
    // A month that waited for the end of a block was not refused: no payment was tried.
    wasRefused: refusal !== null && refusal !== 'blocked',
  };
  const notCoveredSince = refusal === null ? null : lapsesAt;
  return [{ companyId, personaId, lapsesAt, notCoveredSince, month: monthToPay(lapse, now) }];
}
