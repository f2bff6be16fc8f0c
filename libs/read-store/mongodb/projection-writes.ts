import type { Db } from 'mongodb';
import type { JsonValue } from '#kernel/values/json.js';
import { START } from '#kernel/ports/event-store.port.js';
import {
  LeaseLost,
  type Checkpoint,
  type EventMark,
  type Fence,
  type GuardedDocument,
  type KeptCheckpoint,
  type ProjectionWrite,
  type ReadStore,
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
import { carries, claim } from './fencing.js';
import { storedDocument } from './stored-document.js';

type ProjectionStore = Pick<ReadStore, 'load' | 'write' | 'checkpoint' | 'scan' | 'sweepTombstones'>;

export function mongoProjectionWrites({ read, write, writeAtLength }: MongoDatabase): ProjectionStore {
  const existingTable = async (
    db: Db,
    generation: ProjectionWrite['generation'],
  ): Promise<GenerationCollection> => {
    const table = tableOf(generation);
    requireGeneration(await generationEntries(db).findOne({ _id: table.id }), generation);
    return table;
  };

  return {
    load: (generation, keys) =>
      read(async (db) => {
        const [, stored] = await Promise.all([
          existingTable(db, generation),
          documentsOf(db, tableOf(generation))
            .find({ _id: { $in: [...keys] } }, { projection: { _position: 1, _json: 1 } })
            .toArray(),
        ]);
        return new Map(stored.map((one) => [one._id, guarded(one)]));
      }),
    write: (writes, fence) =>
      write(async (db) => {
        const plans = writes.map((one) => planOf(one));
        await requireWritable(db, writes, fence);
        await announce(db, writes, fence);
        await sideBySide(plans, plans.length, ({ table, documents }) => writeDocuments(db, table, documents));
        await saveCheckpoints(db, writes, fence);
      }),
    checkpoint: (generation) =>
      read(async (db) => {
        const entry = await generationEntries(db).findOne({ _id: tableOf(generation).id, dropping: false });
        if (entry === null) return null;
        return checkpointOf(entry);
      }),
    scan: (generation, afterKey, limit) =>
      read(async (db) => {
        const table = await existingTable(db, generation);
        if (limit === 0) return [];
        const stored = await documentsOf(db, table)
          .find({ _id: { $gt: afterKey ?? '' }, _alive: true }, { projection: { _position: 1, _json: 1 } })
          .sort({ _id: 1 })
          .limit(limit)
          .toArray();
        return stored.map(guarded);
      }),
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
function planOf({ generation, documents }: ProjectionWrite): Plan {
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

/** Checks that every generation exists and is under the fence: one read, unless a generation is new to the writer. */
async function requireWritable(db: Db, writes: readonly ProjectionWrite[], fence: Fence): Promise<void> {
  const ids = writes.map(({ generation }) => tableOf(generation).id);
  const entries = await generationEntries(db)
    .find({ _id: { $in: ids } })
    .toArray();
  const byId = new Map(entries.map((entry) => [entry._id, entry]));
  for (const { generation } of writes) requireGeneration(byId.get(tableOf(generation).id), generation);
  const strange = entries.filter((entry) => !carries(entry, fence));
  if (strange.length > 0) {
    await claim(
      db,
      strange.map(({ _id }) => _id),
      fence,
    );
  }
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
 * to an older one, nothing else would show that the documents contain removed events.
 */
async function announce(db: Db, writes: readonly ProjectionWrite[], fence: Fence): Promise<void> {
  const changing = writes.filter(({ documents }) => documents.length > 0);
  const ahead = changing.map(({ checkpoint }) => placed(checkpoint)).reduce(later, null);
  if (ahead === null) return;
  const ids = changing.map(({ generation }) => tableOf(generation).id);
  const { matchedCount } = await generationEntries(db).updateMany(
    { _id: { $in: ids }, lease: fence.lease, fence: fence.epoch },
    { $set: { ahead } },
  );
  if (matchedCount < ids.length) throw new LeaseLost(fence.lease);
}

const placed = ({ position, event }: Checkpoint): PlacedMark | null =>
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

const unplaced = ({ id, recordedAt }: PlacedMark): EventMark => ({ id, recordedAt });

async function saveCheckpoints(db: Db, writes: readonly ProjectionWrite[], fence: Fence): Promise<void> {
  const entries = generationEntries(db);
  await sideBySide(writes, writes.length, async ({ generation, checkpoint }) => {
    const { position, applied, ignored, parked } = checkpoint;
    const event = placed(checkpoint);
    const own = { _id: tableOf(generation).id, lease: fence.lease, fence: fence.epoch };
    const { matchedCount } = await entries.updateOne(
      { ...own, $or: [{ position: null }, { position: { $lte: position } }] },
      { $set: { position, event, applied, ignored, parked } },
    );
    // Still our lease: then the stored checkpoint is later, and stays.
    if (matchedCount === 0 && (await entries.findOne(own)) === null) throw new LeaseLost(fence.lease);
  });
}

function guarded({ _id, _position, _json }: StoredDocument): GuardedDocument {
  return {
    key: _id,
    position: _position,
    document: _json === undefined ? null : (JSON.parse(_json) as JsonValue),
  };
}
