import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { fold } from '#kernel/values/text-folding.js';
import { guardedBulk } from '#mongodb/guarded-bulk.js';
import type { MongoDatabase } from '#mongodb/open-mongo-database.js';
import type { ObservationWriter } from '../ingest.js';
import { recordedMove, type RecordedMove } from '../moves.js';
import { placesOf } from '../observation-names.js';
import { isLearning, type Observation, type PersonObservation } from '../observation.js';
import { outcomeOf, windowAtMs, type Kept, type Sighting, type WriteOutcome } from '../sighting.js';
import { learningIn, observationsById, observationsIn, placeId, placesIn } from './network-collections.js';
import { arrivalRecorder } from './mongo-arrivals.js';
import { observationDocument, observationId, type StoredObservation } from './observation-document.js';
import { settle } from './settle.js';

/** The stored state of a thing, and the changes of this batch. */
type Known = Omit<Kept, 'rev'> & {
  /** Revision in the store, null if there is none; the write is guarded by it. */
  readonly storedRev: number | null;
  readonly rev: number | null;
  readonly previousBody: string | null;
  /** Moves that are not yet written to the collection of moves. */
  readonly newMoves: readonly RecordedMove[];
  /** The batch that has not yet completed its follow-up writes. */
  readonly unsettled: string | null;
  /** Set if it has to be written. */
  readonly sighting: Sighting | null;
};

const NOTHING: Known = {
  storedRev: null,
  rev: null,
  body: '',
  previousBody: null,
  isAutomatic: false,
  closedAtMs: null,
  atMs: null,
  newMoves: [],
  unsettled: null,
  sighting: null,
};

/**
 * Writes observations, one operation for each thing, guarded by the revision that was read. If another process
 * changed a document in between it is decided again. Without transactions a crash may leave a part of a batch; the
 * rest is accepted when it is sent again, and the follow-up writes are completed then too.
 */
export function mongoObservationWriter({ write }: MongoDatabase): ObservationWriter {
  const recordArrivals = arrivalRecorder();
  return {
    write: async (sightings) => {
      const batch = randomUUID();
      const { outcomes, seenBefore, left } = await write((db) => writeAll(db, sightings, batch));
      await settle(write, batch, (id) => !seenBefore.has(id));
      for (const earlier of left) await settle(write, earlier, () => false);
      // Also if every observation was known: a crash may have happened between an observation and this write.
      if (sightings.some(({ observation }) => isLearning(observation))) await write(learn);
      const accepted = sightings.filter((_, index) => outcomes[index] === 'accepted');
      await write((db) => recordArrivals(db, [...new Set(accepted.map(idOf))]));
      return outcomes;
    },
  };
}

type Written = {
  readonly outcomes: readonly WriteOutcome[];
  /** Ids of things that existed before. */
  readonly seenBefore: ReadonlySet<string>;
  /** Earlier batches with incomplete follow-up writes. */
  readonly left: ReadonlySet<string>;
};

async function writeAll(db: Db, sightings: readonly Sighting[], batch: string): Promise<Written> {
  const outcomes: WriteOutcome[] = [];
  const left = new Set<string>();
  const seenBefore = new Set<string>();
  let open = sightings.map((sighting, index) => ({ sighting, index }));
  while (open.length > 0) {
    const known = await stored(
      db,
      open.map(({ sighting }) => idOf(sighting)),
    );
    for (const [id, { unsettled }] of known) {
      seenBefore.add(id);
      if (unsettled !== null) left.add(unsettled);
    }
    for (const { sighting, index } of open) outcomes[index] = decide(known, sighting);
    const accepted = open.filter(({ index }) => outcomes[index] === 'accepted');
    // Before the observations: after a crash these would count as known, and their places would be missing.
    await writePlaces(
      db,
      accepted.map(({ sighting }) => sighting.observation),
    );
    const changed = new Set(await writeChanged(db, known, batch));
    open = open.filter(({ sighting }) => changed.has(idOf(sighting)));
  }
  return { outcomes, seenBefore, left };
}

async function learn(db: Db): Promise<void> {
  await learningIn(db).updateOne({ _id: 'learning' }, { $inc: { learned: 1 } }, { upsert: true });
}

async function stored(db: Db, ids: readonly string[]): Promise<Map<string, Known>> {
  const found = await observationsById(db, [...new Set(ids)], {
    rev: 1,
    body: 1,
    previousBody: 1,
    isAutomatic: 1,
    closedAt: 1,
    'text.at': 1,
    'series.at': 1,
    newMoves: 1,
    unsettled: 1,
  });
  return new Map(found.map((stored) => [stored._id, knownOf(stored)]));
}

function knownOf(stored: StoredObservation): Known {
  const { rev, body, previousBody = null, isAutomatic = false, closedAt = null, text, series } = stored;
  const { newMoves = [], unsettled = null } = stored;
  return {
    storedRev: rev,
    rev,
    body,
    previousBody,
    isAutomatic,
    closedAtMs: closedAt,
    atMs: text?.at ?? series?.at ?? null,
    newMoves,
    unsettled,
    sighting: null,
  };
}

/** Records the new state of the thing in `known`. */
function decide(known: Map<string, Known>, sighting: Sighting): WriteOutcome {
  const { observation, isAutomatic, closedAtMs } = sighting;
  const id = idOf(sighting);
  const before = known.get(id) ?? NOTHING;
  const { rev } = before;
  const kept = rev === null ? null : { ...before, rev };
  const outcome = outcomeOf(kept, sighting);
  if (outcome !== 'accepted') return outcome;
  const previousBody = observation.kind === 'person' && kept !== null ? before.body : null;
  known.set(id, {
    ...before,
    rev: observation.rev,
    body: JSON.stringify(observation),
    previousBody,
    isAutomatic,
    closedAtMs,
    atMs: windowAtMs(kept, sighting),
    newMoves: [...before.newMoves, ...moveTo(sighting, previousBody)],
    sighting,
  });
  return 'accepted';
}

/** The move between a revision of a person and the previously accepted one (D-25). */
function moveTo({ observation, source }: Sighting, previousBody: string | null): readonly RecordedMove[] {
  if (observation.kind !== 'person' || previousBody === null) return [];
  const move = recordedMove(JSON.parse(previousBody) as PersonObservation, observation, source);
  return move === null ? [] : [move];
}

/** Ids of the things that another process changed since they were read. */
async function writeChanged(
  db: Db,
  known: ReadonlyMap<string, Known>,
  batch: string,
): Promise<readonly string[]> {
  const replacements = [...known].flatMap(([_id, { sighting, storedRev, newMoves, ...parts }]) =>
    sighting === null
      ? []
      : [
          {
            _id,
            // No revision is negative, so this guard matches nothing: a new document is inserted, or fails as a
            // duplicate.
            guard: { rev: storedRev ?? -1 },
            replacement: {
              ...observationDocument(sighting, parts),
              ...(newMoves.length > 0 || isOfThread(sighting.observation) ? { unsettled: batch } : {}),
              ...(newMoves.length > 0 ? { newMoves } : {}),
            },
          },
        ],
  );
  const met = await guardedBulk(observationsIn(db), replacements, { add: true });
  return met.map(({ _id }) => _id);
}

function isOfThread({ kind }: Observation): boolean {
  return kind === 'post' || kind === 'comment' || kind === 'reaction';
}

async function writePlaces(db: Db, observations: readonly Observation[]): Promise<void> {
  const places = new Map(
    observations.flatMap(placesOf).map(([name, countryCode]) => {
      const city = fold(name);
      return [placeId(city, countryCode), { city, countryCode }] as const;
    }),
  );
  const replacements = [...places].map(([_id, replacement]) => ({ _id, guard: {}, replacement }));
  await guardedBulk(placesIn(db), replacements, { add: true });
}

function idOf({ observation: { kind, ref } }: Sighting): string {
  return observationId(kind, ref);
}
