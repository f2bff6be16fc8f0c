import { decider, type Decision } from '#kernel/commands/decider.js';
import { monitoringEvents, sourceKey, type MonitoringSource } from './monitoring.events.js';
import type { Month } from './months-facts.js';

/** For one business unit: why it requests the account, and until when the last free month lasts. */
export type Wish = {
  readonly sources: ReadonlyMap<string, MonitoringSource>;
  /** Since when it is requested without interruption; null if it is not. */
  readonly wantedSince: string | null;
  readonly freeUntil: string | null;
};

/** The requests of business units for an account, by persona. */
export type MonitoredAccount = { readonly wishes: Map<number, Wish> };

type AccountDecision = Decision<MonitoredAccount, typeof monitoringEvents>;

const NO_WISH: Wish = { sources: new Map(), wantedSince: null, freeUntil: null };

function amend(account: MonitoredAccount, personaId: number, change: (wish: Wish) => Wish): MonitoredAccount {
  account.wishes.set(personaId, change(account.wishes.get(personaId) ?? NO_WISH));
  return account;
}

export const monitoredAccount = decider<MonitoredAccount>()({
  category: 'monitoring',
  scope: 'workspace',
  strict: true,
  vocabulary: monitoringEvents,
  initial: () => ({ wishes: new Map() }),
  on: {
    MonitoringWanted: (account, { data: { personaId, source, wantedAt } }) =>
      amend(account, personaId, (wish) => ({
        ...wish,
        sources: new Map(wish.sources).set(sourceKey(source), source),
        wantedSince: wish.wantedSince ?? wantedAt,
      })),
    MonitoringUnwanted: (account, { data: { personaId, source } }) =>
      amend(account, personaId, (wish) => {
        const sources = new Map(wish.sources);
        sources.delete(sourceKey(source));
        return { ...wish, sources, wantedSince: sources.size === 0 ? null : wish.wantedSince };
      }),
    MonitoringMonthFree: (account, { data }) =>
      amend(account, data.personaId, (wish) => ({ ...wish, freeUntil: data.until })),
  },
});

/** From now on exactly these business units request the account because of this reason. */
export const wantBecauseOf =
  (source: MonitoringSource, personaIds: ReadonlySet<number>, now: string): AccountDecision =>
  ({ wishes }) => {
    const isWanted = (personaId: number): boolean =>
      wishes.get(personaId)?.sources.has(sourceKey(source)) === true;
    const known = [...wishes.keys()].filter(isWanted);
    const inOrder = (ids: readonly number[]): readonly number[] =>
      ids.toSorted((left, right) => left - right);
    return [
      ...inOrder(known.filter((personaId) => !personaIds.has(personaId))).map(
        (personaId) =>
          ({ type: 'MonitoringUnwanted', data: { personaId, source, unwantedAt: now } }) as const,
      ),
      ...inOrder([...personaIds].filter((personaId) => !isWanted(personaId))).map(
        (personaId) => ({ type: 'MonitoringWanted', data: { personaId, source, wantedAt: now } }) as const,
      ),
    ];
  };

/** A free month, if the account is still requested; ignored if it overlaps with another month. */
export const takeFreeMonth =
  (personaId: number, { from, until, anchorDay }: Month, notCoveredSince: string | null): AccountDecision =>
  ({ wishes }) => {
    const { wantedSince, freeUntil } = wishes.get(personaId) ?? NO_WISH;
    if (wantedSince === null || (freeUntil !== null && freeUntil > from)) return [];
    const again = notCoveredSince === null ? {} : { notCoveredSince };
    return [{ type: 'MonitoringMonthFree', data: { personaId, from, until, anchorDay, ...again } }];
  };
