import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import type { Generation, ReadStore, ViewShape } from '#kernel/ports/read-store.port.js';
import { viewKey } from './registry.js';

/** Why a workspace's events are set aside in one generation of a projection. */
export type ParkedWorkspace = {
  readonly workspaceId: string;
  readonly reason: string;
  /** The first event that could not be folded. */
  readonly type: string;
  readonly stream: string;
  readonly revision: string;
  readonly position: string;
};

/** The stream and revision of a parked event; the event itself stays in the event store. */
export type ParkedEvent = {
  readonly position: string;
  readonly type: string;
  readonly stream: string;
  readonly revision: string;
};

/** A projection that stopped at an event that belongs to no workspace. */
export type Halt = Omit<ParkedWorkspace, 'workspaceId'>;

/** A text that identifies a generation and is no prefix of another one's text. */
export function generationKey({ view, generation }: Generation): string {
  return `${viewKey(view)}.${generation}`;
}

const PAGE = 200;
const ALL = 100_000;

/** A failure in one line, for status and parked records. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** The event and the reason of a failure, as stored. */
export function describeFailure(event: StoredEvent | ParkedEvent, error: unknown): Halt {
  return {
    reason: reasonOf(error),
    type: event.type,
    stream: event.stream,
    revision: String(event.revision),
    position: event.position,
  };
}

/** The workspaces that are parked in a generation. */
export async function loadParked(
  reads: ReadStore,
  generation: Generation,
): Promise<Map<string, ParkedWorkspace>> {
  const records = await reads.listRecords<ParkedWorkspace>(
    'parked-workspace',
    `${generationKey(generation)}/`,
    ALL,
  );
  return new Map(records.map(({ value }) => [value.workspaceId, value]));
}

/** All parked workspaces as `<generationKey>/<workspaceId>`. */
export async function loadParkedKeys(reads: ReadStore): Promise<ReadonlySet<string>> {
  const records = await reads.listRecords<ParkedWorkspace>('parked-workspace', '', ALL);
  return new Set(records.map(({ key }) => key));
}

/** The workspaces of such keys, by the text of their generation. */
export function workspacesByGeneration(keys: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const workspaces = new Map<string, string[]>();
  for (const key of keys) {
    const slash = key.lastIndexOf('/');
    const generation = key.slice(0, slash);
    workspaces.set(generation, [...(workspaces.get(generation) ?? []), key.slice(slash + 1)]);
  }
  return workspaces;
}

/** A parked workspace with the number of its parked events. */
export type ParkedEvents = ParkedWorkspace & { readonly events: number };

/** The parked workspaces of the live generation, or of the first one while it is being built. */
export async function parkedEventsOf(reads: ReadStore, view: ViewShape): Promise<readonly ParkedEvents[]> {
  const { live, all } = await reads.generations(view);
  const number = live ?? all.at(-1);
  if (number === undefined) return [];
  const generation = { view, generation: number };
  const parked = await loadParked(reads, generation);
  return Promise.all(
    [...parked.values()].map(async (workspace) => {
      const prefix = `${parkedKey(generation, workspace.workspaceId)}/`;
      return { ...workspace, events: (await reads.listRecords('parked', prefix, ALL)).length };
    }),
  );
}

/** The key of a workspace in `loadParkedKeys`. */
export function parkedKey(generation: Generation, workspaceId: string): string {
  return `${generationKey(generation)}/${workspaceId}`;
}

export async function putParkedWorkspace(
  reads: ReadStore,
  generation: Generation,
  parked: ParkedWorkspace,
): Promise<void> {
  await reads.putRecord('parked-workspace', parkedKey(generation, parked.workspaceId), parked);
}

export async function deleteParkedWorkspace(
  reads: ReadStore,
  generation: Generation,
  workspaceId: string,
): Promise<void> {
  await reads.deleteRecord('parked-workspace', parkedKey(generation, workspaceId));
}

/** Parks an event. Idempotent. */
export async function putParkedEvent(
  reads: ReadStore,
  generation: Generation,
  workspaceId: string,
  event: StoredEvent,
): Promise<void> {
  const parked: ParkedEvent = {
    position: event.position,
    type: event.type,
    stream: event.stream,
    revision: event.revision.toString(),
  };
  await reads.putRecord('parked', parkedEventKey(generation, workspaceId, event.position), parked);
}

/** The next parked events of a workspace, in order of position. */
export async function nextParkedEvents(
  reads: ReadStore,
  generation: Generation,
  workspaceId: string,
): Promise<readonly ParkedEvent[]> {
  const prefix = `${parkedKey(generation, workspaceId)}/`;
  const records = await reads.listRecords<ParkedEvent>('parked', prefix, PAGE);
  return records.map(({ value }) => value);
}

export async function deleteParkedEvents(
  reads: ReadStore,
  generation: Generation,
  workspaceId: string,
  events: readonly ParkedEvent[],
): Promise<void> {
  await Promise.all(
    events.map(({ position }) =>
      reads.deleteRecord('parked', parkedEventKey(generation, workspaceId, position)),
    ),
  );
}

function parkedEventKey(generation: Generation, workspaceId: string, position: string): string {
  return `${parkedKey(generation, workspaceId)}/${position}`;
}

export async function loadHalt(reads: ReadStore, generation: Generation): Promise<Halt | null> {
  return reads.getRecord<Halt>('halted', generationKey(generation));
}

/** All halts, by generation. */
export async function loadHalts(reads: ReadStore): Promise<ReadonlyMap<string, Halt>> {
  const records = await reads.listRecords<Halt>('halted', '', ALL);
  return new Map(records.map(({ key, value }) => [key, value]));
}

export async function putHalt(reads: ReadStore, generation: Generation, halt: Halt): Promise<void> {
  await reads.putRecord('halted', generationKey(generation), halt);
}

export async function deleteHalt(reads: ReadStore, generation: Generation): Promise<void> {
  await reads.deleteRecord('halted', generationKey(generation));
}

/**
 * Creates a generation without records. A process that died while it dropped an earlier generation of the same number has
 * left the records of that one.
 */
export async function createGeneration(reads: ReadStore, generation: Generation): Promise<void> {
  await deleteNotesOf(reads, generation);
  await reads.createGeneration(generation);
}

/** Removes a generation and its records; false if it is live. */
export async function dropGeneration(reads: ReadStore, generation: Generation): Promise<boolean> {
  if (!(await reads.dropGeneration(generation))) return false;
  await deleteNotesOf(reads, generation);
  return true;
}

/** Removes the records of a generation that does not exist. */
async function deleteNotesOf(reads: ReadStore, generation: Generation): Promise<void> {
  const prefix = `${generationKey(generation)}/`;
  await deleteHalt(reads, generation);
  for (const kind of ['parked', 'parked-workspace', 'drain']) {
    for (;;) {
      const records = await reads.listRecords(kind, prefix, PAGE);
      if (records.length === 0) break;
      await Promise.all(records.map(({ key }) => reads.deleteRecord(kind, key)));
    }
  }
}
