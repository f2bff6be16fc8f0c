import type { Db, Document, Filter } from 'mongodb';
import type { MongoDatabase } from '#mongodb/open-mongo-database.js';
import { inPieces } from '#kernel/values/pieces.js';
import type { Key, KeyStore, KeyOrder, LaneRange, Members, StoredBody } from '../key-reads.js';
import type { RecordedMove } from '../moves.js';
import { movesIn, observationsById, observationsIn } from './network-collections.js';
import { moveId, observationId, type StoredMove, type StoredObservation } from './observation-document.js';

/** People, companies or documents in one query. */
const AT_ONCE = 1_000;

/** Reads of a MongoDB in the order of time, without a keyword search. */
export function mongoKeys({ read }: MongoDatabase, facts: Pick<KeyStore, 'companies' | 'people'>): KeyStore {
  return {
    companies: facts.companies,
    people: facts.people,
    keys: (lane, members, range) => read((db) => keysOf(db, lane, refsOf(members), range)),

    async *workers(companyRefs) {
      for (const some of inPieces([...new Set(companyRefs)], AT_ONCE)) {
        for (let last: Work | undefined = { companyRef: '', ref: '' }; last !== undefined;) {
          const behind: Work = last;
          const people = await read((db) => workersOf(db, some, behind));
          if (people.length > 0) yield { refs: people.map(({ ref }) => ref) };
          last = people.length < AT_ONCE ? undefined : people.at(-1);
        }
      }
    },

    workerCount: async (companyRefs) => {
      let count = 0;
      for (const some of inPieces([...new Set(companyRefs)], AT_ONCE)) {
        const filter = { 'work.companyRef': { $in: [...some] } };
        count += await read((db) => observationsIn(db).countDocuments(filter));
      }
      return count;
    },

    workingAt: async (companyRefs, personRefs) => {
      const found = new Set<string>();
      for (const some of inPieces(personRefs, AT_ONCE)) {
        const ids = some.map((ref) => observationId('person', ref));
        const people = await read((db) => observationsById(db, ids, { work: 1 }));
        for (const { work } of people)
          if (work !== undefined && companyRefs.has(work.companyRef)) found.add(work.ref);
      }
      return found;
    },

    bodies: async (kind, refs) => {
      const found = new Map<string, StoredBody>();
      for (const some of inPieces([...new Set(refs)], AT_ONCE)) {
        const ids = some.map((ref) => observationId(kind, ref));
        const fields = {
          ref: 1,
          body: 1,
          echo: 1,
          source: 1,
          'text.at': 1,
          'series.at': 1,
          'touch.at': 1,
        } as const;
        const stored = await read((db) => observationsById(db, ids, fields));
        for (const { ref, body, echo, source, text, series, touch } of stored) {
          const at = text?.at ?? series?.at ?? touch?.at ?? null;
          const { target = null, host = null } = echo ?? {};
          found.set(ref, { body, at, target, host, reading: source ?? null });
        }
      }
      return found;
    },

    moves: async (page) => {
      const found = new Map<string, RecordedMove>();
      for (const some of inPieces(page, AT_ONCE)) {
        const ids = some.map(({ ref, tie }) => moveId(ref, Number(tie)));
        const stored = await read((db) =>
          movesIn(db)
            .find({ _id: { $in: ids } }, { projection: { body: 1 } })
            .toArray(),
        );
        for (const { _id, body } of stored) found.set(_id, JSON.parse(body) as RecordedMove);
      }
      return page.flatMap(({ ref, tie }) => found.get(moveId(ref, Number(tie))) ?? []);
    },
  };
}

/** This store queries workers by ref alone. */
function refsOf(members: Members | null): readonly string[] | null {
  return members === null || 'workersOf' in members ? null : members.refs;
}

type Work = { readonly companyRef: string; readonly ref: string };

async function workersOf(db: Db, companyRefs: readonly string[], behind: Work): Promise<readonly Work[]> {
  const people = await observationsIn(db)
    .find({
      'work.companyRef': { $in: [...companyRefs], $gte: behind.companyRef },
      $or: [
        { 'work.companyRef': { $gt: behind.companyRef } },
        { 'work.companyRef': behind.companyRef, 'work.ref': { $gt: behind.ref } },
      ],
    })
    .project<{ readonly work: Work }>({ _id: 0, work: 1 })
    .sort({ 'work.companyRef': 1, 'work.ref': 1 })
    .limit(AT_ONCE)
    .toArray();
  return people.map(({ work }) => work);
}

function keysOf(
  db: Db,
  lane: KeyOrder,
  members: readonly string[] | null,
  range: LaneRange,
): Promise<readonly Key[]> {
  if (lane.of === 'move') return moveKeys(db, lane.by, members, range);
  return lane.by === 'company'
    ? seriesKeys(db, lane.of, members, range)
    : interactionKeys(db, lane, members ?? [], range);
}

/**
 * After a position in the order of time and ref; `from.tie` says whether the document at the position itself is
 * included.
 */
function behindPlace(at: string, ref: string, { from, lastMs }: LaneRange, tie: string): Document {
  const orAt = tie > from.tie ? '$gte' : '$gt';
  return {
    [at]: { $gte: from.at, $lte: lastMs },
    $or: [{ [at]: { $gt: from.at } }, { [at]: from.at, [ref]: { [orAt]: from.ref } }],
  };
}

async function interactionKeys(
  db: Db,
  { of, by }: Extract<KeyOrder, { by: 'actor' | 'host' }>,
  members: readonly string[],
  range: LaneRange,
): Promise<readonly Key[]> {
  const side: Filter<StoredObservation> =
    by === 'actor'
      ? { 'touch.actor': { $in: [...members] }, 'echo.host': { $gte: '' } }
      : { 'echo.host': { $in: [...members] } };
  const found = await observationsIn(db)
    .find({ 'touch.kind': of, ...side, ...behindPlace('touch.at', 'touch.ref', range, of) })
    .project<Required<Pick<StoredObservation, 'touch' | 'echo'>>>({
      _id: 0,
      'touch.at': 1,
      'touch.ref': 1,
      'touch.actor': 1,
      'echo.host': 1,
    })
    .sort({ 'touch.at': 1, 'touch.ref': 1 })
    .limit(range.limit)
    .toArray();
  return found.map(({ touch: { at, ref, actor }, echo: { host = '' } }) => ({
    at,
    ref,
    tie: of,
    actor,
    host,
  }));
}

async function seriesKeys(
  db: Db,
  kind: 'headcount' | 'company_event',
  members: readonly string[] | null,
  range: LaneRange,
): Promise<readonly Key[]> {
  const found = await observationsIn(db)
    .find({
      'series.kind': kind,
      ...(members === null ? {} : { 'series.company': { $in: [...members] } }),
      ...behindPlace('series.at', 'series.ref', range, ''),
    })
    .project<Required<Pick<StoredObservation, 'series'>>>({ _id: 0, 'series.at': 1, 'series.ref': 1 })
    .sort({ 'series.at': 1, 'series.ref': 1 })
    .limit(range.limit)
    .toArray();
  return found.map(({ series: { at, ref } }) => ({ at, ref, tie: '', actor: null, host: null }));
}

async function moveKeys(
  db: Db,
  by: 'person' | 'to' | 'from',
  members: readonly string[] | null,
  { from, lastMs, limit, withTitle = false }: LaneRange,
): Promise<readonly Key[]> {
  const revision = typeof from.tie === 'number' ? from.tie : -1;
  const found = await movesIn(db)
    .find({
      ...(members === null ? {} : { [by]: { $in: [...members] } }),
      at: { $gte: from.at, $lte: lastMs },
      $or: [
        { at: { $gt: from.at } },
        { at: from.at, person: { $gt: from.ref } },
        { at: from.at, person: from.ref, rev: { $gt: revision } },
      ],
    })
    .project<Pick<StoredMove, 'at' | 'person' | 'rev' | 'toTitle'>>({
      ...{ _id: 0, at: 1, person: 1, rev: 1 },
      ...(withTitle && { toTitle: 1 }),
    })
    .sort({ at: 1, person: 1, rev: 1 })
    .limit(limit)
    .toArray();
  return found.map(({ at, person, rev, toTitle }) => ({
    ...{ at, ref: person, tie: rev, actor: null, host: null },
    ...(toTitle !== undefined && { title: toTitle }),
  }));
}
