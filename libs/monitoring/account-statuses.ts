import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { RefusalReason } from './domain/account-monitoring.events.js';
import { notCovered, type UnitStanding } from './domain/coverage-facts.js';
import { inPieces } from '#kernel/values/pieces.js';
import {
  monitoredUnits,
  type MonitoredUnitDocument,
} from '#projections/monitoring/monitored-units/monitored-units.projection.js';

export const MONITORING_STATUSES = [
  'monitored',
  'not_covered',
  'monitored_elsewhere',
  'not_monitored',
] as const;
export type MonitoringStatus = (typeof MONITORING_STATUSES)[number];

/** The monitoring of an account, for one business unit or for all. */
export type AccountStatus = {
  readonly status: MonitoringStatus;
  /** End of the last paid month, also after a stop; null if there was none. */
  readonly coveredUntil: string | null;
  readonly notCoveredSince: string | null;
  readonly notCoveredReason: RefusalReason | null;
};

type Unit = UnitStanding & Pick<MonitoredUnitDocument, 'personaId' | 'coveredUntil'>;

/** The status of an account that was never monitored. */
export const NEVER_MONITORED: AccountStatus = {
  status: 'not_monitored',
  coveredUntil: null,
  notCoveredSince: null,
  notCoveredReason: null,
};

/**
 * The status of the business unit itself takes precedence; for all business units the first of these counts (OP-26).
 */
const PRECEDENCE = ['not_covered', 'monitored', 'stopped'] as const;

/** The status of an account with these units, for one business unit or (null) for all. */
export function statusOf(units: readonly Unit[], personaId: number | null): AccountStatus {
  if (personaId === null) {
    for (const status of PRECEDENCE) {
      const giving = units.filter((unit) => unit.status === status).map(ownStatus);
      if (giving.length > 0) return earliest(giving);
    }
    return NEVER_MONITORED;
  }
  const own = units.find((unit) => unit.personaId === personaId);
  const seen = own === undefined ? NEVER_MONITORED : ownStatus(own);
  if (seen.status !== 'not_monitored') return seen;
  const isElsewhere = units.some((unit) => unit.personaId !== personaId && unit.status === 'monitored');
  return isElsewhere ? { ...seen, status: 'monitored_elsewhere' } : seen;
}

function ownStatus(unit: Unit): AccountStatus {
  const { status, coveredUntil } = unit;
  const without = notCovered(unit);
  return {
    status: status === 'stopped' ? 'not_monitored' : status,
    coveredUntil,
    notCoveredSince: without?.since ?? null,
    notCoveredReason: without?.reason ?? null,
  };
}

/** Of several with the same status: the first that will lose its cover, or that lost it. */
function earliest(statuses: readonly AccountStatus[]): AccountStatus {
  const momentOf = ({ notCoveredSince, coveredUntil }: AccountStatus): string =>
    notCoveredSince ?? coveredUntil ?? '9999';
  return statuses.reduce((first, other) => (momentOf(other) < momentOf(first) ? other : first));
}

const COMPANIES_AT_ONCE = 500;

/** The statuses of companies; companies that were never monitored are left out. */
export async function accountStatuses(
  readModels: ReadModels,
  workspaceId: number,
  personaId: number | null,
  companyIds: readonly number[],
): Promise<ReadonlyMap<number, AccountStatus>> {
  const units = new Map<number, MonitoredUnitDocument[]>();
  for (const piece of inPieces(companyIds, COMPANIES_AT_ONCE)) {
    for (const unit of await readModels.find(monitoredUnits, {
      where: { workspaceId, companyId: { in: piece } },
    })) {
      units.set(unit.companyId, [...(units.get(unit.companyId) ?? []), unit]);
    }
  }
  return new Map([...units].map(([companyId, own]) => [companyId, statusOf(own, personaId)]));
}
