import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { evolve, type Decider } from '#kernel/commands/decider.js';
import { foldInto, keysOf, type Projection } from '#kernel/projections/projection.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { sha256Hex } from '#kernel/values/hash.js';
import { canonicalJson, type JsonValue } from '#kernel/values/json.js';
import { projections } from '#projections/index.js';
import { exportsOfAll, foldersOfDecisions, houseRoot } from '#test/house/house.js';
import { decoded, goldenEvents, journalEvents, type GoldenEvent } from './known-events.js';

/**
 * What installations keep besides events, documents of read models and snapshots of states, as hashes over known events.
 * A hash that changes while the version stays would leave what is stored as it is.
 */
export type StoredForms = {
  /**
   * The golden payloads that are in the hashes, each with its own hash by the name of its file. New ones change no hash
   * until the file is written again.
   */
  readonly goldens: { readonly [file: string]: string };
  readonly readModels: { readonly [name: string]: Form };
  /** By category of their streams. */
  readonly snapshots: { readonly [category: string]: Form };
};

type Form = {
  readonly version: number;
  readonly hash: string;
  /**
   * Of a read model: the event types that change its documents. A process of before that projects passes over a type
   * that it does not know, and the documents of the same version would lack these events for ever.
   */
  readonly types?: readonly string[];
};
type Forms = StoredForms['readModels'];

export const FORMS_FILE = 'test/stored-data/stored-forms.json';

export const writtenForms = (): StoredForms => JSON.parse(readFileSync(join(houseRoot, FORMS_FILE), 'utf8'));

/** The forms of today's code, over the journal of an earlier version and those golden payloads. */
export async function formsOfToday(isKnown: (golden: string) => boolean): Promise<StoredForms> {
  const allGoldens = await goldenEvents();
  const goldens = allGoldens.filter(({ file }) => isKnown(file));
  const snapshots = await decidersWithSnapshots();
  return {
    goldens: sorted(goldens.map(({ file, stored }) => [file, hashOf(stored.data)])),
    readModels: sorted(
      projections.map((each) => [
        each.name,
        { ...formOfDocuments(each, goldens), types: typesThatChange(each, allGoldens) },
      ]),
    ),
    snapshots: sorted(snapshots.map((each) => [each.category, formOfStates(each, goldens)])),
  };
}

/**
 * The forms to write: today's. A form that differs from the written one of the same version, and a golden payload that
 * was written, stay as they are written, so that writing the file does not accept a change.
 */
export async function formsToWrite(written: StoredForms): Promise<StoredForms> {
  const unaccepted = new Set(changedForms(written, await formsOfToday((file) => file in written.goldens)));
  const today = await formsOfToday(() => true);
  const kept = (part: 'readModels' | 'snapshots'): Forms =>
    sorted(
      Object.entries(today[part]).map(([name, form]) => [
        name,
        unaccepted.has(name) ? (written[part][name] ?? form) : form,
      ]),
    );
  const goldens = sorted(Object.entries({ ...today.goldens, ...written.goldens }));
  return { goldens, readModels: kept('readModels'), snapshots: kept('snapshots') };
}

/** The names whose form has changed while the version is the same; `today` is over the goldens of `written`. */
export const changedForms = (written: StoredForms, today: StoredForms): readonly string[] =>
  (['readModels', 'snapshots'] as const).flatMap((part) =>
    Object.entries(today[part]).flatMap(([name, { version, hash, types }]) => {
      const before = written[part][name];
      if (before?.version !== version) return [];
      return before.hash === hash && String(before.types) === String(types) ? [] : [name];
    }),
  );

/** The written golden payloads that are not there as they were written. */
export const changedGoldens = (written: StoredForms, today: StoredForms): readonly string[] =>
  Object.entries(written.goldens).flatMap(([file, hash]) => (today.goldens[file] === hash ? [] : [file]));

function formOfDocuments(projection: Projection, goldens: readonly GoldenEvent[]): Form {
  const { version, indexes, onlyWith = {}, instants = [], compact = false } = projection;
  const shape = { indexes: Object.entries(indexes), onlyWith, instants, compact };
  const documents = documentsOf(projection, journalEvents);
  const ofGoldens = goldens
    .filter(({ stored: { type } }) => projection.on[type] !== undefined)
    .map(({ file, stored }) => [file, orFault(() => documentsOf(projection, [stored]))]);
  return { version, hash: hashOf({ shape, documents, ofGoldens }) };
}

/** The event types with a golden payload that belongs to a document, also if an operator caused it. */
function typesThatChange(projection: Projection, goldens: readonly GoldenEvent[]): readonly string[] {
  const changes = ({ stored }: GoldenEvent): boolean => {
    const { type, metadata } = stored;
    if (projection.on[type] === undefined) return false;
    const byOperator = { ...metadata, actorKind: 'operator', actorId: 'operator', commandId: 'command-0' };
    return [stored, { ...stored, metadata: byOperator }].some(
      (event) => keysOf(projection, decoded(event)).length > 0,
    );
  };
  return [...new Set(goldens.filter(changes).map(({ stored }) => stored.type))].sort();
}

function documentsOf(
  projection: Projection,
  events: readonly StoredEvent[],
): Readonly<Record<string, JsonValue>> {
  const documents = new Map<string, JsonValue | null>();
  for (const stored of events) {
    if (projection.on[stored.type] === undefined) continue;
    const event = decoded(stored);
    for (const key of keysOf(projection, event))
      documents.set(key, foldInto(projection, documents.get(key) ?? null, event, key));
  }
  return Object.fromEntries([...documents].flatMap(([key, value]) => (value === null ? [] : [[key, value]])));
}

function formOfStates({ snapshot, ...decider }: WithSnapshot, goldens: readonly GoldenEvent[]): Form {
  const after = (events: readonly StoredEvent[]) =>
    snapshot.toJson(events.reduce((state, stored) => evolve(decider, state, stored), decider.initial()));
  const streams = new Map<string, StoredEvent[]>();
  for (const event of journalEvents) {
    if (!event.stream.startsWith(`${decider.category}-`)) continue;
    const stream = streams.get(event.stream);
    if (stream === undefined) streams.set(event.stream, [event]);
    else stream.push(event);
  }
  const ofGoldens = goldens
    .filter(({ stored: { type } }) => Object.hasOwn(decider.on, type))
    .map(({ file, stored }) => [file, orFault(() => after([stored]))]);
  const states = [...streams].map(([stream, events]) => [stream, after(events)]);
  return { version: snapshot.stateVersion, hash: hashOf({ states, ofGoldens }) };
}

type WithSnapshot = Decider<unknown> & { readonly snapshot: NonNullable<Decider<unknown>['snapshot']> };

async function decidersWithSnapshots(): Promise<readonly WithSnapshot[]> {
  const declared = await exportsOfAll(foldersOfDecisions());
  return [...new Set(declared.flatMap(({ value }) => (hasSnapshot(value) ? [value] : [])))];
}

const hasSnapshot = (value: unknown): value is WithSnapshot =>
  typeof value === 'object' &&
  value !== null &&
  ['category', 'vocabulary', 'initial', 'on', 'snapshot'].every((member) => Object.hasOwn(value, member));

/** A golden payload alone may not be possible: then its fault is part of the form. */
function orFault(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return `throws ${String(error)}`;
  }
}

const hashOf = (value: unknown): string => sha256Hex(canonicalJson(value)).slice(0, 16);

const sorted = <Value>(named: readonly (readonly [string, Value])[]): Readonly<Record<string, Value>> =>
  Object.fromEntries(named.toSorted(([left], [right]) => (left < right ? -1 : 1)));
