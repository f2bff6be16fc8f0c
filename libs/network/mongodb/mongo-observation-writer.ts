import type { Db } from 'mongodb';
import { fold } from '#kernel/values/text-folding.js';
import { guardedBulk } from '#mongodb/guarded-bulk.js';
import type { MongoDatabase } from '#mongodb/open-mongo-database.js';
import type { ObservationWriter, WriteOutcome } from '../ingest.js';
import { placesOf } from '../observation-names.js';
import type { Observation } from '../observation.js';
import { observationsIn, placesIn } from './network-collections.js';
import { observationDocument, observationId } from './observation-document.js';

/** What is stored of a thing, and what this batch makes of it. */
type Known = {
  /** Revision in the store, null when there is none: what the write is guarded by. */
  readonly storedRev: number | null;
  readonly rev: number | null;
  readonly body: string;
  readonly previousBody: string | null;
  /** Set when it has to be written. */
  readonly observation: Observation | null;
};

const NOTHING: Known = { storedRev: null, rev: null, body: '', previousBody: null, observation: null };

/**
 * Writes observations, one operation for each thing, guarded by the revision that was read. What another
 * process changed in between is decided again. Without transactions a crash may leave a part of a batch; the
 * rest is accepted when it is sent again.
 */
export function mongoObservationWriter({ write }: MongoDatabase): ObservationWriter {
  return {
    write: (observations) =>
      write(async (db) => {
        const outcomes: WriteOutcome[] = [];
        let open = observations.map((observation, index) => ({ observation, index }));
        while (open.length > 0) {
          const known = await stored(
            db,
            open.map(({ observation }) => idOf(observation)),
          );
          for (const { observation, index } of open) outcomes[index] = decide(known, observation);
          const accepted = open.filter(({ index }) => outcomes[index] === 'accepted');
          // Before the observations: after a crash these would count as seen, and their places would be missed.
          await writePlaces(
            db,
            accepted.map(({ observation }) => observation),
          );
          const changed = new Set(await writeChanged(db, known));
          open = open.filter(({ observation }) => changed.has(idOf(observation)));
        }
        return outcomes;
      }),
  };
}

async function stored(db: Db, ids: readonly string[]): Promise<Map<string, Known>> {
  const found = await observationsIn(db)
    .find({ _id: { $in: [...new Set(ids)] } }, { projection: { rev: 1, body: 1, previousBody: 1 } })
    .toArray();
  return new Map(
    found.map(({ _id, rev, body, previousBody = null }) => [
      _id,
      { storedRev: rev, rev, body, previousBody, observation: null },
    ]),
  );
}

/** Notes in `known` what becomes of the thing. */
function decide(known: Map<string, Known>, observation: Observation): WriteOutcome {
  const { kind, ref, rev } = observation;
  const id = idOf(observation);
  const before = known.get(id) ?? NOTHING;
  const body = JSON.stringify(observation);
  if (before.rev !== null && rev < before.rev) return 'unchanged';
  if (before.rev !== null && rev === before.rev) {
    if (before.body === body) return 'unchanged';
    return { rejected: `rev ${rev} of ${kind} ${ref} was already observed with other content` };
  }
  const previousBody = kind === 'person' && before.rev !== null ? before.body : null;
  known.set(id, { storedRev: before.storedRev, rev, body, previousBody, observation });
  return 'accepted';
}

/** Ids of the things that another process changed since they were read. */
async function writeChanged(db: Db, known: ReadonlyMap<string, Known>): Promise<readonly string[]> {
  const replacements = [...known].flatMap(([_id, { observation, storedRev, body, previousBody }]) =>
    observation === null
      ? []
      : [
          {
            _id,
            // No revision is negative: this holds for nothing, so what is new is added or met by a duplicate.
            guard: { rev: storedRev ?? -1 },
            replacement: observationDocument(observation, body, previousBody),
          },
        ],
  );
  const met = await guardedBulk(observationsIn(db), replacements, { add: true });
  return met.map(({ _id }) => _id);
}

async function writePlaces(db: Db, observations: readonly Observation[]): Promise<void> {
  const places = new Map(
    observations.flatMap(placesOf).map(([name, countryCode]) => {
      const city = fold(name);
      return [`${countryCode}/${city}`, { city, countryCode }] as const;
    }),
  );
  const replacements = [...places].map(([_id, replacement]) => ({ _id, guard: {}, replacement }));
  await guardedBulk(placesIn(db), replacements, { add: true });
}

function idOf({ kind, ref }: Observation): string {
  return observationId(kind, ref);
}
