import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Arrival, NetworkArrivals } from '../arrivals.port.js';
import { searchableText, type Observation, type ObservationKind } from '../observation.js';
import type { Reader } from './reader.js';

/** The number of arrivals kept: a quarter of an hour at 200 per second. */
const ARRIVALS_KEPT = 200_000;

/** Records the accepted observations in the transaction of a batch, without duplicates. */
export function arrivalRecorder(
  db: DatabaseSyncInstance,
): (accepted: readonly Pick<Observation, 'kind' | 'ref'>[]) => void {
  const insert = db.prepare(
    'INSERT INTO arrival (observation, arrived_at) SELECT id, ? FROM observation WHERE kind = ? AND ref = ?',
  );
  const drop = db.prepare('DELETE FROM arrival WHERE seq <= (SELECT max(seq) FROM arrival) - ?');
  return (accepted) => {
    if (accepted.length === 0) return;
    const now = Date.now();
    const byName = new Map(accepted.map(({ kind, ref }) => [`${kind}/${ref}`, { kind, ref }]));
    for (const { kind, ref } of byName.values()) insert.run(now, kind, ref);
    drop.run(ARRIVALS_KEPT);
  };
}

type ArrivalRow = {
  readonly seq: number;
  readonly kind: ObservationKind;
  readonly ref: string;
  readonly at: number | null;
  readonly subject: string | null;
  readonly host: string | null;
  readonly body: string | null;
};

/** Arrivals in network.db, in the order of its write transactions. */
export function sqliteArrivals(db: DatabaseSyncInstance, reader: Reader): NetworkArrivals {
  const before = db.prepare('SELECT seq FROM arrival WHERE arrived_at < ? ORDER BY seq DESC LIMIT 1');
  const behind = db.prepare(
    `SELECT seq, kind, ref, at, subject, host, CASE WHEN text_id IS NULL THEN NULL ELSE body END AS body
     FROM arrival JOIN observation ON observation.id = arrival.observation
     WHERE seq > ? ORDER BY seq LIMIT ?`,
  );
  return {
    ofLast(ms) {
      let last: number | null = null;
      return {
        next: (limit) =>
          reader.once(() => {
            last ??= Number(
              (before.get(Math.max(0, Date.now() - ms)) as { readonly seq: number } | undefined)?.seq ?? 0,
            );
            const rows = behind.all(last, limit) as readonly ArrivalRow[];
            last = rows.at(-1)?.seq ?? last;
            return rows.map(arrivalOf);
          }),
      };
    },
  };
}

const arrivalOf = ({ kind, ref, at, subject, host, body }: ArrivalRow): Arrival => ({
  kind,
  ref,
  atMs: at,
  subject,
  host: host === '' ? null : host,
  text: body === null ? null : searchableText(JSON.parse(body) as Observation),
});
