import type { AccountMonitoringEvents, RefusalReason } from '#monitoring/domain/account-monitoring.events.js';
import { companyIdOfStream, sourceKey, type MonitoringEvents } from '#monitoring/domain/monitoring.events.js';
import {
  lapseOf,
  whileDue,
  withCovered,
  type Covered,
  type UnitStanding,
} from '#monitoring/domain/coverage-facts.js';
import type { Month } from '#monitoring/domain/months-facts.js';
import type { Cause, CreditPayloads } from '#ledger/domain/credits.events.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** A period in which a month could not be paid, excluding its end. */
export type Gap = { readonly from: string; readonly until: string | null; readonly reason: RefusalReason };

/** An account and a business unit that requests it, or requested it before. */
export type MonitoredUnitDocument = UnitStanding & {
  readonly workspaceId: number;
  readonly companyId: number;
  readonly personaId: number;
  /** Names it within its workspace: units that are due at the same time are in this order. */
  readonly unit: string;
  /** The reasons for which it is requested, by `sourceKey`; empty if it is not. */
  readonly sources: readonly string[];
  readonly wantedSince: string | null;
  readonly stoppedAt: string | null;
  /** Nothing can be observed of the company: it is not retried before the network learns of it. */
  readonly rests: true | null;
  /** End of the last month, also after a stop; null if it never had one. */
  readonly coveredUntil: string | null;
  readonly anchorDay: number | null;
  /** When it was covered, including the time in which a month was due and not tried. */
  readonly covered: readonly Covered[];
  /** The end of the last of these periods; null if there is none. */
  readonly coveredTo: string | null;
  /** The periods in which it was requested and not covered, with reasons; the last one is open if `until` is null. */
  readonly gaps: readonly Gap[];
  /** Why it was requested when a month began (`sourceKey`): from that month on, until one began for other reasons. */
  readonly wantedBy: readonly { readonly since: string; readonly sources: readonly string[] }[];
};

const ID_DIGITS = 16;

/** In the order of company and business unit. */
export const unitName = (companyId: number, personaId: number): string =>
  [companyId, personaId].map((id) => String(id).padStart(ID_DIGITS, '0')).join('_');

export const monitoredUnitKey = (workspaceId: number, companyId: number, personaId: number): string =>
  `${workspaceId}_${unitName(companyId, personaId)}`;

type UnitPayloads = MonitoringEvents &
  Pick<AccountMonitoringEvents, 'MonthsRefused' | 'MonthsObservable'> &
  Pick<CreditPayloads, 'CreditsHeld'>;

export const monitoredUnits = projection<MonitoredUnitDocument, UnitPayloads>()({
  name: 'monitored-units',
  version: 7,
  indexes: {
    due: ['status', 'rests', 'lapsesAt', 'unit'],
    workspacesDue: ['status', 'rests', 'lapsesAt', 'workspaceId'],
    dueOfWorkspace: ['workspaceId', 'status', 'rests', 'lapsesAt', 'unit'],
    byPersona: ['workspaceId', 'status', 'personaId', 'lapsesAt', 'unit'],
    byReason: ['workspaceId', 'status', 'refusal', 'personaId'],
    resting: ['rests', 'workspaceId', 'unit'],
    ofPersona: ['workspaceId', 'personaId', 'companyId'],
    coveredOfPersona: ['workspaceId', 'personaId', 'coveredTo'],
    byCompany: ['workspaceId', 'companyId', 'personaId'],
  },
  onlyWith: { resting: 'rests', byReason: 'refusal' },
  key: (event) => {
    const workspaceId = workspaceIdOf(event);
    if (event.type === 'MonthsRefused' || event.type === 'MonthsObservable') {
      return event.data.units.map(({ companyId, personaId }) =>
        monitoredUnitKey(workspaceId, companyId, personaId),
      );
    }
    if (event.type === 'CreditsHeld') {
      const paid = paidMonth(event.data.cause);
      return paid && monitoredUnitKey(workspaceId, paid.companyId, paid.personaId);
    }
    return monitoredUnitKey(workspaceId, companyIdOfStream(event), event.data.personaId);
  },
  on: {
    MonitoringWanted: (known, event) => {
      const { personaId, source, wantedAt } = event.data;
      const unit = known ?? newUnit(workspaceIdOf(event), companyIdOfStream(event), personaId);
      const sources = [...unit.sources.filter((key) => key !== sourceKey(source)), sourceKey(source)];
      if (unit.wantedSince !== null) return { ...unit, sources };
      const lapsesAt = lapseOf(unit.coveredUntil, wantedAt);
      return { ...unit, sources, status: 'monitored', wantedSince: wantedAt, lapsesAt };
    },
    MonitoringUnwanted: (unit, { data }) => {
      if (unit === null) return null;
      const sources = unit.sources.filter((key) => key !== sourceKey(data.source));
      if (sources.length > 0) return { ...unit, sources };
      return {
        ...unit,
        sources,
        status: 'stopped',
        wantedSince: null,
        stoppedAt: data.unwantedAt,
        lapsesAt: null,
        refusal: null,
        rests: null,
        ...coveredFor(whileDue(unit, data.unwantedAt)),
        gaps: ended(unit.gaps, data.unwantedAt),
      };
    },
    MonitoringMonthFree: (unit, { data }) => unit && withMonth(unit, data),
    CreditsHeld: (unit, { data }) => {
      const month = paidMonth(data.cause);
      return unit && (month === null ? unit : withMonth(unit, month));
    },
    MonthsRefused: (unit, { data: { units, reason, triedAt } }) => {
      if (unit === null || !names(units, unit)) return unit;
      return {
        ...unit,
        status: 'not_covered',
        refusal: reason,
        rests: reason === 'not_observable' ? true : null,
        ...coveredFor(whileDue(unit, triedAt)),
        gaps: withGap(unit.gaps, triedAt, reason),
      };
    },
    MonthsObservable: (unit, { data: { units } }) =>
      unit?.rests === true && names(units, unit) ? { ...unit, rests: null } : unit,
  },
});

/** Whether a month of the unit is named. A month that was paid or stopped meanwhile has another time, or none. */
const names = (
  units: AccountMonitoringEvents['MonthsRefused']['units'],
  { companyId, personaId, lapsesAt }: MonitoredUnitDocument,
): boolean =>
  units.some(
    (each) => each.companyId === companyId && each.personaId === personaId && each.since === lapsesAt,
  );

function newUnit(workspaceId: number, companyId: number, personaId: number): MonitoredUnitDocument {
  return {
    workspaceId,
    companyId,
    personaId,
    unit: unitName(companyId, personaId),
    sources: [],
    status: 'stopped',
    wantedSince: null,
    stoppedAt: null,
    lapsesAt: null,
    refusal: null,
    rests: null,
    coveredUntil: null,
    anchorDay: null,
    ...coveredFor([]),
    gaps: [],
    wantedBy: [],
  };
}

type PaidMonth = Month & { readonly companyId: number; readonly personaId: number };

/** The month that a movement pays; null if it pays something else. */
function paidMonth({ kind, companyId, personaId, from, until, anchorDay }: Cause): PaidMonth | null {
  if (kind !== 'monitoring' || companyId === undefined || personaId === undefined) return null;
  if (from === undefined || until === undefined || anchorDay === undefined) return null;
  return { companyId, personaId, from, until, anchorDay };
}

function withMonth(unit: MonitoredUnitDocument, { from, until, anchorDay }: Month): MonitoredUnitDocument {
  // A free month and a paid one are events of two streams: the later one counts.
  if (unit.coveredUntil !== null && until <= unit.coveredUntil) return unit;
  const isWanted = unit.wantedSince !== null;
  return {
    ...unit,
    status: isWanted ? 'monitored' : unit.status,
    lapsesAt: isWanted ? until : null,
    refusal: null,
    rests: null,
    coveredUntil: until,
    anchorDay,
    ...coveredFor(withCovered(whileDue(unit, from), { from, until })),
    gaps: ended(unit.gaps, from),
    wantedBy: withReasons(unit, from),
  };
}

const coveredFor = (covered: readonly Covered[]) => ({
  covered,
  coveredTo: covered.at(-1)?.until ?? null,
});

/** The same periods with the open one ended. */
const ended = (gaps: readonly Gap[], at: string): readonly Gap[] =>
  gaps.map((gap) => (gap.until === null ? { ...gap, until: at } : gap));

/** After a refusal at a time: an open period with the same reason stays open. */
function withGap(gaps: readonly Gap[], from: string, reason: RefusalReason): readonly Gap[] {
  const last = gaps.at(-1);
  if (last?.until === null && last.reason === reason) return gaps;
  return [...ended(gaps, from), { from, until: null, reason }];
}

function withReasons({ wantedBy, sources }: MonitoredUnitDocument, since: string) {
  const before = wantedBy.at(-1)?.sources ?? [];
  const isSame = before.length === sources.length && before.every((source) => sources.includes(source));
  return isSame ? wantedBy : [...wantedBy, { since, sources }];
}

/** Why it was requested at the beginning of the month that was running at a moment; empty if none was. */
export const wantedByAt = ({ wantedBy }: MonitoredUnitDocument, at: string): readonly string[] =>
  wantedBy.findLast(({ since }) => since <= at)?.sources ?? [];
