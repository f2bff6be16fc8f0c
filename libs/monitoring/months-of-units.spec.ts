import type { Commands } from '#kernel/commands/commands.js';
import { personas } from '#lists/domain/personas/personas.js';
import { topAccounts } from '#accounts/domain/top-accounts/top-accounts.js';
import { stateFrom } from '#kernel/testing/scenario.js';
import { foldAll, type HappenedEvent } from '#kernel/testing/project.js';
import { monitoredUnits } from '#projections/monitoring/monitored-units/monitored-units.projection.js';
import { monitoredAccount } from './domain/monitored-account.js';
import { monthsOf } from './months-of-units.js';

const at = (day: string): string => `2026-02-${day}T10:00:00.000Z`;
const source = { kind: 'pick', accountId: 7 } as const;
const wanted = { type: 'MonitoringWanted', data: { personaId: 4, source, wantedAt: at('01') } } as const;
const unwanted = {
  type: 'MonitoringUnwanted',
  data: { personaId: 4, source, unwantedAt: at('02') },
} as const;
const again = { type: 'MonitoringWanted', data: { personaId: 4, source, wantedAt: at('03') } } as const;
const free = (from: string, until: string) =>
  ({
    type: 'MonitoringMonthFree',
    data: { personaId: 4, from: at(from), until: at(until), anchorDay: 1 },
  }) as const;
type Event = typeof wanted | typeof unwanted | ReturnType<typeof free>;

/** The months of one unit, whose read model shows the first events of its account and whose stream has more. */
async function monthsAfter(shown: readonly HappenedEvent[], stream: readonly Event[], pickedFor = [4]) {
  const states = new Map<unknown, unknown>([
    [personas, { byId: new Map([[4, { personaId: 4, archived: false }]]) }],
    [topAccounts, { accounts: new Map([[7, { pickedFor }]]) }],
    [monitoredAccount, stateFrom(monitoredAccount, stream)],
  ]);
  const commands = {
    load: async (decider: unknown, _id: string, read: (state: unknown) => unknown) =>
      read(states.get(decider)),
    loadEach: async (decider: unknown, ids: readonly string[], read: (state: unknown) => unknown) =>
      ids.map(() => read(states.get(decider))),
  } as unknown as Commands;
  const host = { commands, clock: { now: () => new Date(at('05')) } } as unknown as Parameters<
    typeof monthsOf
  >[0];
  const units = foldAll(
    monitoredUnits,
    shown.map((event) => ({ ...event, stream: 'monitoring-1_9' })),
  );
  return monthsOf(host, 1, [...units.values()]);
}

describe('OP-27 the months that units need', () => {
  it('begin when they are due, and are none of a unit that was paid for free since it was read', async () => {
    expect(await monthsAfter([wanted], [wanted])).toMatchObject([
      { companyId: 9, personaId: 4, lapsesAt: at('01'), notCoveredSince: null },
    ]);
    expect(await monthsAfter([wanted], [wanted, free('01', '28')])).toEqual([]);
    expect(await monthsAfter([wanted, free('01', '04')], [wanted, free('01', '04')])).toMatchObject([
      { lapsesAt: at('04') },
    ]);
  });

  it('MON-63 are none of a unit that was stopped since it was read, also if it is requested again', async () => {
    expect(await monthsAfter([wanted], [wanted, unwanted])).toEqual([]);
    expect(await monthsAfter([wanted], [wanted, unwanted, again])).toEqual([]);
    expect(await monthsAfter([wanted], [wanted], [])).toEqual([]);
    expect(await monthsAfter([wanted, unwanted], [wanted, unwanted, again])).toEqual([]);
  });

  it('carry since when the unit is not covered, and then begin now', async () => {
    const units = [{ companyId: 9, personaId: 4, since: at('01') }];
    const refused = (reason: string) => ({
      type: 'MonthsRefused',
      data: { units, reason, triedAt: at('01') },
    });
    const now = { lapsesAt: at('01'), notCoveredSince: at('01'), month: { from: at('05') } };
    for (const reason of ['credits', 'blocked'])
      expect(await monthsAfter([wanted, refused(reason)], [wanted])).toMatchObject([now]);
  });
});
