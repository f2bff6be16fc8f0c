import { event, type Immutable, type PayloadsOf, type Recorded } from '#kernel/events/event.js';
import { Id, OneOf, Timestamp, Type, type Static } from '#kernel/values/schema.js';

/** Why a business unit wants an account watched: a member of a list, or the account itself was picked. */
export const MonitoringSource = Type.Object({
  kind: OneOf('list', 'pick'),
  listId: Type.Optional(Id),
  memberId: Type.Optional(Id),
  accountId: Type.Optional(Id),
});
export type MonitoringSource = Immutable<Static<typeof MonitoringSource>>;

/** A day of the month, from which the months of an account are counted. */
const AnchorDay = Type.Integer({ minimum: 1, maximum: 31 });

/** On the stream of an account (`monitoring-<workspace>_<company>`), which says whose and which company it is. */
export const monitoringEvents = {
  MonitoringWanted: event(Type.Object({ personaId: Id, source: MonitoringSource, wantedAt: Timestamp })),
  MonitoringUnwanted: event(Type.Object({ personaId: Id, source: MonitoringSource, unwantedAt: Timestamp })),
  /** A month that costs nothing (exempt, price 0); one that is paid is its movement in the ledger. */
  MonitoringMonthFree: event(
    Type.Object({
      personaId: Id,
      from: Timestamp,
      until: Timestamp,
      anchorDay: AnchorDay,
      /** Since when the account was not covered that the month covers again; absent where it was covered or is new. */
      notCoveredSince: Type.Optional(Timestamp),
    }),
  ),
};
export type MonitoringEvents = PayloadsOf<typeof monitoringEvents>;

/** Names a source: the same is the same, whatever else is known of it. */
export const sourceKey = ({ kind, listId, memberId, accountId }: MonitoringSource): string =>
  kind === 'list' ? `list:${listId ?? 0}:${memberId ?? 0}` : `pick:${accountId ?? 0}`;

/** The source that a `sourceKey` names; null for another text. */
export function sourceOfKey(key: string): MonitoringSource | null {
  const [kind, ...ids] = key.split(':');
  const [first = 0, second = 0] = ids.map(Number);
  if (kind === 'list') return { kind, listId: first, memberId: second };
  return kind === 'pick' ? { kind, accountId: first } : null;
}

/** The company that a stream of this category is about. Throws for another stream: a fold of ours is wrong then. */
export function companyIdOfStream({ stream }: Pick<Recorded<unknown>, 'stream'>): number {
  const companyId = Number(/^monitoring-\d+_(\d+)$/.exec(stream)?.[1]);
  if (Number.isSafeInteger(companyId)) return companyId;
  throw new Error(`${stream} is not the stream of a monitored account`);
}
