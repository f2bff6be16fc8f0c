import { decodeEvent } from '../events/event-codec.js';
import { evolve, type Decider, type Due, type Foldable, type StreamPoint } from './decider.js';
import type { Scope } from './scope.js';
import type { EventStore, Position, StoredEvent, StreamEnd } from '../ports/event-store.port.js';
import type { JsonObject, JsonValue } from '../values/json.js';
import { readSnapshot, storedSnapshot, type Snapshot } from './snapshot.js';
import type { SnapshotStore } from '../ports/snapshot-store.port.js';
import type { Recalled } from '../ports/recall.port.js';

/** A decided event with its types erased. */
export type AnyEvent = { readonly type: string; readonly data: JsonObject };

/** An aggregate with its types erased, as the command path runs it. */
export type AnyDecider = Foldable<unknown> & {
  readonly category: string;
  readonly scope: Scope<AnyEvent>;
  readonly initial: () => unknown;
  readonly seal?: Decider<unknown>['seal'];
  readonly due?: (state: unknown, at: string) => readonly Due<AnyEvent>[];
  readonly follows?: (state: unknown) => readonly AnyEvent[];
  readonly bytesOf?: Decider<unknown>['bytesOf'];
  readonly snapshot?: Decider<unknown>['snapshot'];
  readonly recall?: (state: unknown, recalled: Recalled) => void;
  readonly rewind?: (state: unknown) => () => void;
  readonly stops?: (state: unknown, events: readonly AnyEvent[]) => boolean;
};

export type MemoryEnvironment = {
  readonly eventStore: EventStore;
  readonly onWeight: (difference: number) => void;
  /** null: every load folds the whole stream. */
  readonly snapshots: SnapshotStore | null;
  /** Called when a snapshot could not be read or written; the command continues without it. */
  readonly onSnapshotFailure: (stream: string, error: unknown) => void;
};

/** The events that given commands wrote after a revision. */
export type OwnEvents = { readonly after: bigint; readonly commandIds: ReadonlySet<string> };

/**
 * The approximate size of an event in a cached state besides its text: bounds the cache without measuring the states.
 */
const BYTES_PER_EVENT = 256;
/** The position of an event whose append has not been acknowledged. */
const SPECULATED: Position = '';
/** Events folded before other work gets the event loop. */
const EVENTS_IN_ONE_GO = 2_000;
/** The first read that looks for a command at the end of a stream; each further one is eight times as long. */
const FIRST_LOOK_BACK = 32;

/** A point of a stream, with the weight of the events up to it and the number of entries that are still open then. */
type Forgettable = StreamPoint & { readonly weight: number; readonly entries: number };

/** The state of one stream in this process, and the end of the stream at that time. */
export class StreamMemory {
  state: unknown;
  loaded = false;
  revision = -1n;
  headHash = '';
  lastRecordedAt = '';
  /** Position of the last event known to be durable; null for an empty stream. */
  position: Position | null = null;
  /** True while the state contains decided events whose append is not acknowledged. */
  speculating = false;
  /**
   * Position of the last event that stops something (`Decider.stops`), or of the snapshot that may hide one; null:
   * none.
   */
  stoppedAt: Position | null = null;
  private headId = '';
  private weight = 0;
  /** True if the memory must contain the facts of every event: it uses no snapshot and forgets nothing. */
  private whole = false;
  private snapshotRevision = -1n;
  private snapshotSize = 0;
  /** An event of an unknown type was skipped. */
  private isIncomplete = false;
  /** The position of the last written snapshot: facts older than it can be forgotten. */
  private forgettable: Forgettable | null = null;

  constructor(
    private readonly stream: string,
    private readonly decider: AnyDecider,
    private readonly environment: MemoryEnvironment,
  ) {}

  /** Drops everything. */
  forget(): void {
    this.weigh(-this.weight);
    this.state = undefined;
    this.loaded = false;
    this.revision = -1n;
    this.headHash = '';
    this.lastRecordedAt = '';
    this.position = null;
    this.speculating = false;
    this.stoppedAt = null;
    this.headId = '';
    this.whole = false;
    this.snapshotRevision = -1n;
    this.snapshotSize = 0;
    this.forgettable = null;
    this.isIncomplete = false;
  }

  /** Whether the state is that of a stream which ends here; null: of one without events. */
  endsAt(end: StreamEnd | null): boolean {
    if (end === null) return this.loaded && this.revision < 0n;
    return this.loaded && this.revision === end.revision && this.headId === end.id;
  }

  /** Folds all events of a stream of which nothing is known. */
  beginWith(events: readonly StoredEvent[]): void {
    this.forget();
    this.state = this.decider.initial();
    for (const event of events) {
      this.fold(event);
      this.position = event.position;
    }
    this.loaded = true;
  }

  fold(event: StoredEvent): void {
    if (!Object.hasOwn(this.decider.vocabulary, event.type)) this.isIncomplete = true;
    this.state = evolve(this.decider, this.state, event);
    this.revision = event.revision;
    this.headId = event.id;
    this.headHash = event.metadata['hash'] ?? this.headHash;
    this.lastRecordedAt = event.metadata['recordedAt'] ?? this.lastRecordedAt;
    if (this.isStop(event)) this.stoppedAt = event.position;
    this.weigh(this.decider.bytesOf?.(event) ?? BYTES_PER_EVENT + textBytes(event.data));
  }

  /** Folds a decided event that is not durable yet. `committed` or the function of `mark` ends that state. */
  speculate(event: Omit<StoredEvent, 'stream' | 'revision' | 'position'>): void {
    this.speculating = true;
    const { id, type, data, metadata } = event;
    const revision = this.revision + 1n;
    this.fold({ id, type, data, metadata, stream: this.stream, revision, position: SPECULATED });
  }

  /** Notes that the folded events are durable and end at this position. */
  committed(position: Position): void {
    this.position = position;
    if (this.stoppedAt === SPECULATED) this.stoppedAt = position;
    this.speculating = false;
  }

  /**
   * Marks the durable state; the returned function resets the state to it, or drops everything if that is not
   * possible.
   */
  mark(): () => void {
    const back = this.decider.rewind?.(this.state);
    if (back === undefined) return () => this.forget();
    const { revision, headHash, lastRecordedAt, headId, stoppedAt, weight } = this;
    return () => {
      back();
      this.revision = revision;
      this.headHash = headHash;
      this.lastRecordedAt = lastRecordedAt;
      this.headId = headId;
      this.stoppedAt = stoppedAt;
      this.weigh(weight - this.weight);
      this.speculating = false;
    };
  }

  recall(recalled: Recalled): void {
    this.decider.recall?.(this.state, recalled);
  }

  /** Folds the whole stream without a snapshot, and forgets nothing until everything is dropped. */
  async readWhole(): Promise<void> {
    this.forget();
    this.whole = true;
    await this.readTail();
  }

  /**
   * Folds the events since the known revision; without a known revision, since a snapshot or the start. `moved` says
   * whether there were any; `events` are the wanted ones among them, so that a long read keeps no others. If the
   * stream has another event at the known revision, or none, the log was reset to an older one: the memory is dropped
   * and the whole stream is folded.
   */
  async readTail(
    wanted: OwnEvents | null = null,
  ): Promise<{ readonly moved: boolean; readonly events: readonly StoredEvent[] }> {
    const wasLoaded = this.loaded;
    if (!wasLoaded) await this.begin(wanted);
    const before = this.revision;
    const events = await this.foldOn(wasLoaded, wanted);
    if (events !== null) return { moved: this.revision > before, events };
    await this.begin(wanted);
    return { moved: true, events: (await this.foldOn(false, wanted)) ?? [] };
  }

  /**
   * Folds the events after the last known one and returns the wanted ones. If the last fold was long ago, the store is asked
   * where the stream ends, which takes a third of the time of a read. If it has grown, the last known event is read again to prove
   * that the new events follow it: null if another event has that revision, or none.
   */
  private async foldOn(
    isToBeProven: boolean,
    wanted: OwnEvents | null,
  ): Promise<readonly StoredEvent[] | null> {
    const { revision, headId } = this;
    let isProven = !isToBeProven || revision < 0n;
    const from = isProven ? revision + 1n : revision;
    const { eventStore } = this.environment;
    if (!isProven) {
      const end = (await eventStore.ends([this.stream])).get(this.stream);
      if (end !== undefined && this.endsAt(end)) return [];
    }
    const events: StoredEvent[] = [];
    let inOneGo = 0;
    for await (const batch of eventStore.readStream(this.stream, { from })) {
      for (const event of batch) {
        if (!isProven) {
          if (event.revision !== revision || event.id !== headId) return null;
          isProven = true;
          continue;
        }
        this.fold(event);
        this.position = event.position;
        if (wanted !== null && isWanted(event, wanted)) events.push(event);
      }
      inOneGo += batch.length;
      if (inOneGo >= EVENTS_IN_ONE_GO) {
        inOneGo = 0;
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    if (!isProven) return null;
    this.loaded = true;
    return events;
  }

  /** The wanted events of the stream, folded or not; folds nothing. */
  async find(wanted: OwnEvents): Promise<readonly StoredEvent[]> {
    const found: StoredEvent[] = [];
    const read = { from: wanted.after + 1n };
    for await (const batch of this.environment.eventStore.readStream(this.stream, read)) {
      found.push(...batch.filter((event) => event.revision <= this.revision && isWanted(event, wanted)));
    }
    return found;
  }

  /**
   * The wanted events that were recorded since a time or stand after a position (null: none), folded or not; folds nothing
   * and reads no further back.
   */
  async findRecent(
    wanted: OwnEvents,
    { since, after }: { readonly since: string | null; readonly after: Position | null },
  ): Promise<readonly StoredEvent[]> {
    const isBehind = (position: Position | null): boolean =>
      after !== null && position !== null && position > after;
    if (since === null && !isBehind(this.position)) return [];
    // Recording times in a stream never decrease.
    const isRecent = ({ metadata, position }: StoredEvent): boolean =>
      isBehind(position) || (since !== null && (metadata['recordedAt'] ?? '') >= since);
    const found: StoredEvent[] = [];
    let from = this.revision;
    for (let maxCount = FIRST_LOOK_BACK; ; maxCount *= 8) {
      const read = { direction: 'backwards', from, maxCount } as const;
      let count = 0;
      for await (const batch of this.environment.eventStore.readStream(this.stream, read)) {
        const recent = batch.filter(isRecent);
        found.push(...recent.filter((event) => isWanted(event, wanted)));
        if (recent.length < batch.length) return found.reverse();
        count += batch.length;
      }
      if (count < maxCount) return found.reverse();
      from -= BigInt(count);
    }
  }

  /**
   * Writes a snapshot when the stream has grown enough since the last one, without waiting, and forgets the facts
   * that the previous snapshot covers. Only while everything folded is durable.
   */
  keepSnapshot(): void {
    const { snapshot } = this.decider;
    const { snapshots } = this.environment;
    if (snapshot === undefined || snapshots === null || this.position === null || this.speculating) return;
    // The newer version that wrote the skipped event would read the snapshot.
    if (this.isIncomplete) return;
    const eventsSince = this.revision - this.snapshotRevision;
    if (eventsSince < BigInt(Math.max(snapshot.every, this.snapshotSize))) return;
    const { position } = this;
    this.snapshotRevision = this.revision;
    this.snapshotSize = snapshot.sizeOf?.(this.state) ?? 0;
    const state = snapshot.toJson(this.state);
    const { revision, headId, headHash, lastRecordedAt } = this;
    const stateVersion = snapshot.stateVersion;
    const stored = storedSnapshot({ revision, stateVersion, headId, headHash, lastRecordedAt, state });
    this.forgetUpTo(this.forgettable);
    this.forgettable = null;
    const point = { revision, position, weight: this.weight, entries: this.snapshotSize };
    snapshots.write(this.stream, stored).then(
      () => {
        if (this.snapshotRevision === point.revision) this.forgettable = point;
      },
      (error: unknown) => this.environment.onSnapshotFailure(this.stream, error),
    );
  }

  /** Forgets the facts of the events up to a point, and their weight: only open entries are left of them. */
  private forgetUpTo(point: Forgettable | null): void {
    const { snapshot } = this.decider;
    if (point === null || this.whole || snapshot?.forget?.(this.state, point) !== true) return;
    const left = Math.max(0, this.weight - point.weight) + point.entries * BYTES_PER_EVENT;
    this.weigh(Math.min(0, left - this.weight));
  }

  /** The state from which folding continues: that of a snapshot, if there is one of this stream. */
  private async begin(wanted: OwnEvents | null): Promise<void> {
    const { whole } = this;
    this.forget();
    this.whole = whole;
    this.state = this.decider.initial();
    const { snapshots } = this.environment;
    if (this.decider.snapshot === undefined || snapshots === null || whole) return;
    try {
      const stored = await snapshots.read(this.stream);
      if (stored !== null) await this.beginAt(stored, wanted);
    } catch (error) {
      // The stream can always be folded from its start.
      this.forget();
      this.state = this.decider.initial();
      this.environment.onSnapshotFailure(this.stream, error);
    }
  }

  private async beginAt(stored: JsonObject, wanted: OwnEvents | null): Promise<void> {
    const { snapshot: form } = this.decider;
    if (form === undefined) return;
    const snapshot = readSnapshot(stored, form.stateVersion);
    // A search for own events after a revision must not start from a snapshot that contains them.
    if (snapshot === null || (wanted !== null && snapshot.revision > wanted.after)) return;
    const position = await this.positionOf(snapshot);
    if (position === null) return;
    this.state = form.fromJson(snapshot.state, { revision: snapshot.revision, position });
    this.revision = snapshot.revision;
    this.headId = snapshot.headId;
    this.headHash = snapshot.headHash;
    this.lastRecordedAt = snapshot.lastRecordedAt;
    this.position = position;
    if (this.decider.stops !== undefined) this.stoppedAt = position;
    this.snapshotRevision = snapshot.revision;
    this.snapshotSize = form.sizeOf?.(this.state) ?? 0;
    this.weigh(JSON.stringify(snapshot.state).length);
  }

  /**
   * The position of the snapshot's last event; null if the stream has another event at that revision, or ends before
   * it.
   */
  private async positionOf({ revision, headId, headHash }: Snapshot): Promise<Position | null> {
    const read = { from: revision, maxCount: 1 };
    for await (const [event] of this.environment.eventStore.readStream(this.stream, read)) {
      const same =
        event?.revision === revision && event.id === headId && (event.metadata['hash'] ?? '') === headHash;
      return same ? event.position : null;
    }
    return null;
  }

  /** Called with the state after the event. */
  private isStop(stored: StoredEvent): boolean {
    const { stops, vocabulary } = this.decider;
    if (stops === undefined) return false;
    const event = decodeEvent(vocabulary, stored);
    return event !== null && stops(this.state, [event]);
  }

  private weigh(difference: number): void {
    this.weight += difference;
    this.environment.onWeight(difference);
  }
}

/** The text in a payload, about in bytes: what a state keeps of an event is its text, if it is large. */
function textBytes(value: JsonValue | undefined): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let bytes = 0;
  for (const member of Object.values(value)) bytes += textBytes(member);
  return bytes;
}

function isWanted(event: StoredEvent, { after, commandIds }: OwnEvents): boolean {
  return event.revision > after && commandIds.has(event.metadata['commandId'] ?? '');
}
