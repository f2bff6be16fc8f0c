import { decider, evolve } from '#kernel/commands/decider.js';
import type { EventStore } from '#kernel/ports/event-store.port.js';
import { accountMonitoringEvents } from './domain/account-monitoring.events.js';
import {
  companyIdOfStream,
  monitoringEvents,
  sourceKey,
  type MonitoringSource,
} from './domain/monitoring.events.js';
import { monthKeyOf } from './domain/months-facts.js';
import { creditEvents } from '#ledger/domain/credits.events.js';
import type { UnitHistory } from './recount.js';

/** By account and business unit. */
type Histories = Map<string, UnitHistory>;

const nameOf = (companyId: number, personaId: number): string => `${companyId}:${personaId}`;

/** The account and business unit in a charge key; null for a charge of another kind. */
const nameInKey = (key: string): string | null =>
  /^monitoring:(\d+:\d+):\d{4}-\d{2}$/.exec(monthKeyOf(key))?.[1] ?? null;

function withUnit(all: Histories, name: string, change: (unit: UnitHistory) => UnitHistory): Histories {
  const [companyId = 0, personaId = 0] = name.split(':').map(Number);
  return all.set(
    name,
    change(all.get(name) ?? { companyId, personaId, wishes: [], months: [], refusals: [] }),
  );
}

const withWish = (
  all: Histories,
  name: string,
  source: MonitoringSource,
  isWanted: boolean,
  at: string,
): Histories =>
  withUnit(all, name, (unit) => ({
    ...unit,
    wishes: [...unit.wishes, { source: sourceKey(source), isWanted, at }],
  }));

const withMonth = (all: Histories, name: string, month: UnitHistory['months'][number]): Histories =>
  withUnit(all, name, (unit) => ({ ...unit, months: [...unit.months, month] }));

function ended(all: Histories, key: string, status: 'captured' | 'released'): Histories {
  const name = nameInKey(key);
  if (name === null || !all.has(name)) return all;
  return withUnit(all, name, (unit) => ({
    ...unit,
    months: unit.months.map((month) =>
      month.movement?.key === key ? { ...month, movement: { ...month.movement, status } } : month,
    ),
  }));
}

/** Collects the events of each account and business unit from all streams, without judging them. */
const histories = decider<Histories>()({
  category: 'monitoring',
  scope: 'workspace',
  vocabulary: { ...monitoringEvents, ...accountMonitoringEvents, ...creditEvents },
  initial: () => new Map(),
  on: {
    MonitoringWanted: (all, event) => {
      const { personaId, source, wantedAt } = event.data;
      return withWish(all, nameOf(companyIdOfStream(event), personaId), source, true, wantedAt);
    },
    MonitoringUnwanted: (all, event) => {
      const { personaId, source, unwantedAt } = event.data;
      return withWish(all, nameOf(companyIdOfStream(event), personaId), source, false, unwantedAt);
    },
    MonitoringMonthFree: (all, event) => {
      const { personaId, from, until, anchorDay } = event.data;
      const month = { from, until, anchorDay, movement: null };
      return withMonth(all, nameOf(companyIdOfStream(event), personaId), month);
    },
    MonthsRefused: (all, { data: { units, reason, triedAt } }) => {
      for (const { companyId, personaId, since } of units) {
        withUnit(all, nameOf(companyId, personaId), (unit) => ({
          ...unit,
          refusals: [...unit.refusals, { since, triedAt, reason }],
        }));
      }
      return all;
    },
    CreditsHeld: (all, { data: { key, product, cause } }) => {
      const name = nameInKey(key);
      // An operator may hold credits under a key of this form.
      if (name === null || cause.kind !== 'monitoring') return all;
      const { from = '', until = '', anchorDay = 1 } = cause;
      const movement = { key, product, status: 'held' } as const;
      return withMonth(all, name, { from, until, anchorDay, movement });
    },
    CreditsCaptured: (all, { data: { key } }) => ended(all, key, 'captured'),
    CreditsReleased: (all, { data: { key } }) => ended(all, key, 'released'),
  },
});

/** The history of each account and business unit of a workspace, read from the whole log. */
export async function readHistories(
  eventStore: Pick<EventStore, 'readAll'>,
  workspaceId: number,
): Promise<readonly UnitHistory[]> {
  let all = histories.initial();
  for await (const { events } of eventStore.readAll({ types: Object.keys(histories.on) })) {
    for (const stored of events) {
      if (stored.metadata['workspaceId'] === String(workspaceId)) all = evolve(histories, all, stored);
    }
  }
  return [...all.values()];
}
