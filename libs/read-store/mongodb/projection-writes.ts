import type { Db, Document } from 'mongodb';
import { together } from '#kernel/commands/together.js';
import type { JsonValue } from '#kernel/values/json.js';
import { START } from '#kernel/ports/event-store.port.js';
import {
  LeaseLost,
  type Checkpoint,
  type DocumentWrite,
  type EventMark,
  type Fence,
  type GuardedDocument,
  type KeptCheckpoint,
  type ProjectionWrite,
  type ProjectionStore,
} from '#kernel/ports/read-store.port.js';
import { inPieces } from '#kernel/values/pieces.js';
import { sideBySide } from '#kernel/values/side-by-side.js';
import { guardedBulk } from '#mongodb/guarded-bulk.js';
import type { MongoDatabase } from '#mongodb/open-mongo-database.js';
import {
  documentsOf,
  generationEntries,
  requireGeneration,
  tableOf,
  type GenerationEntry,
  type PlacedMark,
  type StoredDocument,
  type GenerationCollection,
} from './catalogue.js';
import { rowsWithEntryReader } from './rows-with-entry.js';
import { storedDocument } from './stored-document.js';
import { writableGenerations } from './writable-generations.js';

export function mongoProjectionWrites({ read, write, writeAtLength }: MongoDatabase): ProjectionStore {
  const rowsWithEntry = rowsWithEntryReader();
  const writable = writableGenerations();

  const existingTable = async (
    db: Db,
    generation: ProjectionWrite['generation'],
  ): Promise<GenerationCollection> => {
    const table = tableOf(generation);
    requireGeneration(await generationEntries(db).findOne({ _id: table.id }), generation);
    return table;
  };
  /** A process that waits for the read models of another one asks for many of them in one turn. */
  const checkpointOfTable = together((ids: readonly string[]) =>
    read(async (db) => {
      const entries = await generationEntries(db)
        .find({ _id: { $in: [...ids] }, dropping: false })
        .toArray();
      const byId = new Map(entries.map((entry) => [entry._id, checkpointOf(entry)]));
      return ids.map((id) => byId.get(id) ?? null);
    }),
  );
  /** Documents of a generation that still existed when the last of them was read. */
  const documents = async (
    db: Db,
    generation: ProjectionWrite['generation'],
    stages: readonly Document[],
  ): Promise<readonly GuardedDocument[]> => {
    const table = tableOf(generation);
    const { rows, entry } = await rowsWithEntry<StoredDocument>(
      db,
      table,
      { stages: [...stages, { $project: { _position: 1, _json: 1 } }] },
      table.id,
    );
    requireGeneration(entry?.kind === 'generation' ? entry : null, generation);
    return rows().map(guarded);
  };

  /** Checks the generations again if one was dropped, taken over or put under another fence since the last check. */
  const underFence = async (
    db: Db,
    writes: readonly ProjectionWrite[],
    fence: Fence,
    attempt: typeof announce,
  ): Promise<void> => {
    if (await attempt(db, writes, fence)) return;
    await writable.require(db, writes, fence);
    if (!(await attempt(db, writes, fence))) throw new LeaseLost(fence.lease);
  };

  return {
    load: (generation, keys) =>
      read(async (db) => {
        const stored = await documents(db, generation, [{ $match: { _id: { $in: [...keys] } } }]);
        return new Map(stored.map((one) => [one.key, one]));
      }),
    write: (writes, fence) =>
      write(async (db) => {
        const plans = writes.map((one) => planOf(one));
        if (!writable.areKnown(writes, fence)) await writable.require(db, writes, fence);
        await underFence(db, writes, fence, announce);
        await sideBySide(plans, plans.length, (plan) => writeDocuments(db, plan.table, plan.documents));
        await underFence(db, writes, fence, saveCheckpoints);
      }),
    checkpoint: (generation) => checkpointOfTable(tableOf(generation).id),
    scan: (generation, afterKey, limit) =>
      read(async (db) =>
        documents(db, generation, [
          // The server refuses a limit of 0.
          { $match: limit === 0 ? { _id: { $in: [] } } : { _id: { $gt: afterKey ?? '' }, _alive: true } },
          { $sort: { _id: 1 } },
          { $limit: Math.max(1, limit) },
        ]),
      ),
    sweepTombstones: (generation, olderThan) =>
      writeAtLength(async (db) => {
        const table = await existingTable(db, generation);
        const { deletedCount } = await documentsOf(db, table).deleteMany({
          _alive: false,
          _position: { $lt: olderThan },
        });
        return deletedCount;
      }),
  };
}

type Plan = { readonly table: GenerationCollection; readonly documents: readonly PlannedDocument[] };
export type PlannedDocument = { readonly stored: StoredDocument; readonly isNew: boolean };

/** One operation per document; if a key occurs twice, the later position counts, and of equal ones the first. */
export function planOf({ generation, documents }: DocumentWrite): Plan {
  const table = tableOf(generation);
  const last = new Map<string, GuardedDocument>();
  for (const document of documents) {
    const known = last.get(document.key);
    if (known === undefined || document.position > known.position) last.set(document.key, document);
  }
  return {
    table,
    documents: [...last.values()].map((document) => ({
      stored: storedDocument(table, document),
      isNew: document.isNew ?? false,
    })),
  };
}

/**
 * Writes each document only over an older one. "Duplicate key" means that the document exists: it is not older, or
 * another writer inserted it at the same moment with an older position. The second attempt therefore only replaces
 * and never inserts; an untouched document then has our position or a later one.
 */
export async function writeDocuments(
  db: Db,
  table: GenerationCollection,
  documents: readonly PlannedDocument[],
): Promise<void> {
  const collection = documentsOf(db, table);
  const replacements = documents.map(({ stored: { _id, ...replacement }, isNew }) => ({
    _id,
    guard: { _position: { $lt: replacement._position } },
    replacement,
    isNew,
  }));
  const pieces = inPieces(replacements, PIECE_DOCUMENTS);
  await sideBySide(pieces, pieces.length, async (piece) => {
    const present = await guardedBulk(collection, piece, { add: true });
    await guardedBulk(collection, present, { add: false });
  });
}

/** A server processes one call in order; several concurrent calls use more of it. No key is in two of them. */
const PIECE_DOCUMENTS = 500;

/**
 * Notes the target position of documents before they are written: if the writer died in between and the log was reset
 * to an older one, nothing else would show that the documents contain removed events. False if one of the generations is
 * being dropped or not under the fence.
 */
async function announce(db: Db, writes: readonly ProjectionWrite[], fence: Fence): Promise<boolean> {
  const changing = writes.filter(({ documents }) => documents.length > 0);
  const ahead = changing.map(({ checkpoint }) => placed(checkpoint)).reduce(later, null);
  if (changing.length === 0) return true;
  const ids = changing.map(({ generation }) => tableOf(generation).id);
  const ours = { _id: { $in: ids }, dropping: false, lease: fence.lease, fence: fence.epoch };
  // Checkpoints of an earlier version name no event: no position is recorded, and only the fence is checked.
  if (ahead === null) return (await generationEntries(db).countDocuments(ours)) === ids.length;
  // Never back: documents of a write whose checkpoint was not saved may contain events up to a later position.
  const earlier = { $or: [{ ahead: null }, { 'ahead.position': { $lt: ahead.position } }] };
  const { matchedCount } = await generationEntries(db).updateMany(
    { ...ours, ...earlier },
    { $set: { ahead } },
  );
  return matchedCount === ids.length || (await generationEntries(db).countDocuments(ours)) === ids.length;
}

export const placed = ({ position, event }: Pick<Checkpoint, 'position' | 'event'>): PlacedMark | null =>
  event === undefined ? null : { ...event, position };

const later = (left: PlacedMark | null, right: PlacedMark | null): PlacedMark | null =>
  left === null || (right !== null && right.position > left.position) ? right : left;

function checkpointOf(entry: GenerationEntry): KeptCheckpoint | null {
  const { position, event = null, ahead = null, applied, ignored, parked } = entry;
  const isAhead = ahead !== null && ahead.position > (position ?? START);
  if (position === null && !isAhead) return null;
  return {
    position: position ?? START,
    ...(event !== null && event.position === position ? { event: unplaced(event) } : {}),
    ...(isAhead ? { ahead: { position: ahead.position, event: unplaced(ahead) } } : {}),
    applied,
    ignored,
    parked,
  };
}

export const unplaced = ({ id, recordedAt }: PlacedMark): EventMark => ({ id, recordedAt });

/**
 * One call for the checkpoints of all read models: each is a separate compare-and-set. False if one of the generations
 * is not under the fence.
 */
async function saveCheckpoints(db: Db, writes: readonly ProjectionWrite[], fence: Fence): Promise<boolean> {
  if (writes.length === 0) return true;
  const entries = generationEntries(db);
  const ours = { lease: fence.lease, fence: fence.epoch };
  const { matchedCount } = await entries.bulkWrite(
    writes.map(({ generation, checkpoint }) => {
      const { position, applied, ignored, parked } = checkpoint;
      const event = placed(checkpoint);
      return {
        updateOne: {
          filter: {
            _id: tableOf(generation).id,
            ...ours,
            $or: [{ position: null }, { position: { $lte: position } }],
          },
          update: { $set: { position, event, applied, ignored, parked } },
        },
      };
    }),
    { ordered: false },
  );
  if (matchedCount === writes.length) return true;
  // All still under our fence: then a stored checkpoint is later, and stays.
  const ids = new Set(writes.map(({ generation }) => tableOf(generation).id));
  const held = await entries.find({ _id: { $in: [...ids] }, ...ours }).toArray();
  return held.length === ids.size;
}

function guarded({ _id, _position, _json }: StoredDocument): GuardedDocument {
  return {
    key: _id,
    position: _position,
    document: _json === undefined ? null : (JSON.parse(_json) as JsonValue),
  };
}
