import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { fold } from '#kernel/values/text-folding.js';
import { guardedBulk } from '#mongodb/guarded-bulk.js';
import type { MongoDatabase } from '#mongodb/open-mongo-database.js';
import type { ObservationWriter } from '../ingest.js';
import { recordedMove, type RecordedMove } from '../moves.js';
import { placesOf } from '../observation-names.js';
import { isLearning, type Observation, type PersonObservation } from '../observation.js';
import { outcomeOf, windowAtMs, type Sighting, type WriteOutcome } from '../sighting.js';
import { learningIn, observationsIn, placeId, placesIn } from './network-collections.js';
import { arrivalRecorder } from './mongo-arrivals.js';
import { observationDocument, observationId, type StoredObservation } from './observation-document.js';
import { settle } from './settle.js';

/** What is stored of a thing, and what this batch makes of it. */
type Known = {
  /** Revision in the store, null when there is none: what the write is guarded by. */
  readonly storedRev: number | null;
  readonly rev: number | null;
  readonly body: string;
  readonly previousBody: string | null;
  readonly isAutomatic: boolean;
  readonly closedAtMs: number | null;
  /** The date that windows go by. */
  readonly atMs: number | null;
  /** Moves that are not yet where moves are kept. */
  readonly newMoves: readonly RecordedMove[];
  /** The batch that has not yet done what follows from what is stored. */
  readonly unsettled: string | null;
  /** Set when it has to be written. */
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
 * Writes observations, one operation for each thing, guarded by the revision that was read. What another
 * process changed in between is decided again. Without transactions a crash may leave a part of a batch; the
 * rest is accepted when it is sent again, and what follows from the documents is done then, too.
 */
export function mongoObservationWriter({ write }: MongoDatabase): ObservationWriter {
  const recordArrivals = arrivalRecorder();
  return {
    write: async (sightings) => {
      const batch = randomUUID();
      const { outcomes, seenBefore, left } = await write((db) => writeAll(db, sightings, batch));
      await settle(write, batch, (id) => !seenBefore.has(id));
      for (const earlier of left) await settle(write, earlier, () => false);
      // Also where all was known: a crash may have come between an observation and this.
      if (sightings.some(({ observation }) => isLearning(observation))) await write(learn);
      const accepted = sightings.filter((_, index) => outcomes[index] === 'accepted');
      await write((db) => recordArrivals(db, [...new Set(accepted.map(idOf))]));
      return outcomes;
    },
  };
}

type Written = {
  readonly outcomes: readonly WriteOutcome[];
  /** Ids of things that were known before. */
  readonly seenBefore: ReadonlySet<string>;
  /** Earlier batches that did not do all that follows from what they wrote. */
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
    // Before the observations: after a crash these would count as seen, and their places would be missed.
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
  const found = await observationsIn(db)
    .find(
      { _id: { $in: [...new Set(ids)] } },
      {
        projection: {
          rev: 1,
          body: 1,
          previousBody: 1,
          isAutomatic: 1,
          closedAt: 1,
          'text.at': 1,
          'series.at': 1,
          newMoves: 1,
          unsettled: 1,
        },
      },
    )
    .toArray();
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

/** Notes in `known` what becomes of the thing. */
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

/** What a revision of a person changed against the one accepted before it (D-25). */
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
            // No revision is negative: this holds for nothing, so what is new is added or met by a duplicate.
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
