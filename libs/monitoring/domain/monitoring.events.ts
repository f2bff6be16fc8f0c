import { event, type Immutable, type PayloadsOf, type Recorded } from '#kernel/events/event.js';
import { Id, OneOf, Timestamp, Type, type Static } from '#kernel/values/schema.js';

/** Why a business unit requests an account: a member of a list, or a pick of the account itself. */
export const MonitoringSource = Type.Object({
  kind: OneOf('list', 'pick'),
  listId: Type.Optional(Id),
  memberId: Type.Optional(Id),
  accountId: Type.Optional(Id),
});
export type MonitoringSource = Immutable<Static<typeof MonitoringSource>>;

/** The day of the month from which the months of an account are counted. */
const AnchorDay = Type.Integer({ minimum: 1, maximum: 31 });

/** Events on the stream of an account (`monitoring-<workspace>_<company>`), which names workspace and company. */
export const monitoringEvents = {
  MonitoringWanted: event(Type.Object({ personaId: Id, source: MonitoringSource, wantedAt: Timestamp })),
  MonitoringUnwanted: event(Type.Object({ personaId: Id, source: MonitoringSource, unwantedAt: Timestamp })),
  /** A free month (exempt, price 0); a paid month is a movement in the ledger. */
  MonitoringMonthFree: event(
    Type.Object({
      personaId: Id,
      from: Timestamp,
      until: Timestamp,
      anchorDay: AnchorDay,
      /**
       * The time since which the account was not covered, if this month covers it again; absent if it was covered or
       * is new.
       */
      notCoveredSince: Type.Optional(Timestamp),
    }),
  ),
};
export type MonitoringEvents = PayloadsOf<typeof monitoringEvents>;

/** The key of a reason: reasons with equal keys are the same. */
export const sourceKey = ({ kind, listId, memberId, accountId }: MonitoringSource): string =>
  kind === 'list' ? `list:${listId ?? 0}:${memberId ?? 0}` : `pick:${accountId ?? 0}`;

/** The reason of a `sourceKey`; null for another text. */
export function sourceOfKey(key: string): MonitoringSource | null {
  const [kind, ...ids] = key.split(':');
  const [first = 0, second = 0] = ids.map(Number);
  if (kind === 'list') return { kind, listId: first, memberId: second };
  return kind === 'pick' ? { kind, accountId: first } : null;
}

/** The company of a stream of this category. Throws for another stream, because the fold would be wrong. */
export function companyIdOfStream({ stream }: Pick<Recorded<unknown>, 'stream'>): number {
  const companyId = Number(/^monitoring-\d+_(\d+)$/.exec(stream)?.[1]);
  if (Number.isSafeInteger(companyId)) return companyId;
  throw new Error(`${stream} is not the stream of a monitored account`);
}
