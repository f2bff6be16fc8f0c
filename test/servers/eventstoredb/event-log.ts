import {
  closeSync,
  existsSync,
  fdatasyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';

/** An event as a client proposes it, in bytes: the server does not parse them. */
export type ProposedEvent = {
  readonly id: string;
  readonly type: string;
  readonly isJson: boolean;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
};

export type LoggedEvent = ProposedEvent & {
  readonly stream: string;
  readonly revision: bigint;
  /** Byte offset in the log: it grows with the size of the records, so there are gaps. */
  readonly position: bigint;
  readonly createdMs: number;
};

export type Expected = 'any' | 'no-stream' | 'exists' | bigint;

export type WriteResult =
  | {
      readonly kind: 'written';
      readonly revision: bigint;
      readonly position: bigint;
      readonly isRepeat: boolean;
    }
  | { readonly kind: 'wrong version'; readonly actual: bigint | null }
  | { readonly kind: 'deleted' }
  | { readonly kind: 'too large' };

export const MAX_APPEND_BYTES = 1 << 20;
const DELETED_REVISION = 2n ** 63n - 1n;
/** Size of a record in the log beside its payload. */
const RECORD_OVERHEAD = 91;

export type EventLog = {
  readonly all: readonly LoggedEvent[];
  readonly stream: (name: string) => readonly LoggedEvent[];
  /**
   * The events that a read returns, without those cut off by metadata; 'none' and 'deleted' as the server reports
   * them.
   */
  readonly visible: (name: string) => readonly LoggedEvent[] | 'none' | 'deleted';
  readonly write: (stream: string, expected: Expected, events: readonly ProposedEvent[]) => WriteResult;
  /** Flushes new records to the disk and notifies the listeners. */
  readonly commit: () => void;
  /** Removes records from the log permanently; their positions stay empty. */
  readonly scavenge: (isWaste: (event: LoggedEvent) => boolean) => void;
  /** Lets this much time pass for the age of records. */
  readonly age: (ms: number) => void;
  /** True where a record begins or has begun, and at the end. */
  readonly isPlace: (position: bigint) => boolean;
  readonly onCommit: (listener: (events: readonly LoggedEvent[]) => void) => () => void;
  readonly close: () => void;
};

/** An event of the server or of another program. */
export function proposed(
  type: string,
  data: string | Uint8Array,
  rest: Partial<ProposedEvent> = {},
): ProposedEvent {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data;
  return { id: randomUUID(), type, isJson: true, data: bytes, metadata: new Uint8Array(), ...rest };
}

/**
 * The log of the server: an append-only file with a line for each write, or memory alone. A line that a kill left
 * incomplete is cut off at the next start.
 */
export function openEventLog(folder: string | null): EventLog {
  const all: LoggedEvent[] = [];
  const streams = new Map<string, LoggedEvent[]>();
  const places = new Set<bigint>([0n]);
  const listeners = new Set<(events: readonly LoggedEvent[]) => void>();
  let end = 0n;
  let committed = 0;
  let agedMs = 0;
  let pendingLines = '';
  let file: number | null = null;

  const add = (event: LoggedEvent): void => {
    all.push(event);
    const stream = streams.get(event.stream);
    if (stream === undefined) streams.set(event.stream, [event]);
    else stream.push(event);
    end = event.position + BigInt(RECORD_OVERHEAD + event.data.length + event.metadata.length);
    places.add(end);
  };
  if (folder !== null) {
    mkdirSync(folder, { recursive: true });
    const path = join(folder, 'events.log');
    if (existsSync(path)) {
      const whole = readFileSync(path);
      const length = whole.lastIndexOf(0x0a) + 1;
      truncateSync(path, length);
      const lines = whole.subarray(0, length).toString().split('\n').slice(0, -1);
      for (const line of lines) for (const event of JSON.parse(line, reviveLogged)) add(event);
    }
    file = openSync(path, 'a');
    committed = all.length;
  }

  const record = (
    stream: string,
    from: bigint,
    events: readonly ProposedEvent[],
  ): LoggedEvent | undefined => {
    const logged: LoggedEvent[] = [];
    for (const [index, event] of events.entries()) {
      const revision = event.type === '$streamDeleted' ? DELETED_REVISION : from + BigInt(index);
      add({ ...event, stream, revision, position: end, createdMs: Date.now() + agedMs });
      logged.push(all[all.length - 1] as LoggedEvent);
    }
    if (file !== null) pendingLines += `${JSON.stringify(logged, writeLogged)}\n`;
    return logged.at(-1);
  };

  const cutOf = (
    name: string,
  ): { readonly before: bigint; readonly maxCount: bigint | null; readonly youngerThanMs: number } => {
    const last = streams.get(`$$${name}`)?.at(-1);
    const metadata =
      last === undefined
        ? {}
        : (JSON.parse(Buffer.from(last.data).toString()) as {
            $tb?: unknown;
            $maxCount?: unknown;
            $maxAge?: number;
          });
    const { $tb = 0, $maxCount = null, $maxAge = Infinity } = metadata;
    // 2^63-1 does not survive JSON numbers; any number this large means deleted.
    const before = Number($tb) >= 2 ** 62 ? DELETED_REVISION : BigInt(Number($tb));
    const maxCount = $maxCount === null ? null : BigInt(Number($maxCount));
    return { before, maxCount, youngerThanMs: $maxAge * 1_000 };
  };

  const write: EventLog['write'] = (stream, expected, events) => {
    const existing = streams.get(stream) ?? [];
    const last = existing.at(-1);
    if (last?.type === '$streamDeleted') return { kind: 'deleted' };
    const size = events.reduce(
      (sum, { type, data, metadata }) => sum + 2 * type.length + data.length + metadata.length,
      0,
    );
    if (size > MAX_APPEND_BYTES) return { kind: 'too large' };
    const current = last?.revision ?? -1n;
    const isSoftDeleted = last !== undefined && cutOf(stream).before === DELETED_REVISION;
    const before =
      expected === 'no-stream' ? -1n : expected === 'any' || expected === 'exists' ? current : expected;
    if (before !== current && !(isSoftDeleted && expected === 'no-stream')) {
      // The same ids at the same position are a repetition, even of only the first of them; anything else is a
      // conflict.
      const there = existing.slice(Number(before) + 1, Number(before) + 1 + events.length);
      const end = there.at(-1);
      const isRepeat =
        before < current &&
        there.length === events.length &&
        there.every(({ id }, index) => id === events[index]?.id);
      if (isRepeat && end !== undefined) {
        return { kind: 'written', revision: end.revision, position: end.position, isRepeat };
      }
      return { kind: 'wrong version', actual: current === -1n ? null : current };
    }
    if (expected === 'exists' && last === undefined) return { kind: 'wrong version', actual: null };
    if (events.length === 0)
      return { kind: 'written', revision: current, position: last?.position ?? 0n, isRepeat: true };
    if (isSoftDeleted) {
      const metadata = streams.get(`$$${stream}`)?.at(-1)?.revision ?? -1n;
      record(`$$${stream}`, metadata + 1n, [
        proposed('$metadata', JSON.stringify({ $tb: Number(current + 1n) })),
      ]);
    }
    const written = record(stream, current + 1n, events) as LoggedEvent;
    return { kind: 'written', revision: written.revision, position: written.position, isRepeat: false };
  };

  return {
    all,
    stream: (name) => streams.get(name) ?? [],
    visible: (name) => {
      const events = streams.get(name) ?? [];
      const last = events.at(-1);
      if (last === undefined) return 'none';
      if (last.type === '$streamDeleted') return 'deleted';
      const { before, maxCount, youngerThanMs } = cutOf(name);
      if (before === DELETED_REVISION) return 'none';
      const first =
        maxCount === null || last.revision + 1n - maxCount < before ? before : last.revision + 1n - maxCount;
      const oldestMs = Date.now() + agedMs - youngerThanMs;
      return events.filter(({ revision, createdMs }) => revision >= first && createdMs >= oldestMs);
    },
    write,
    commit: () => {
      if (file !== null && pendingLines !== '') {
        writeSync(file, pendingLines);
        fdatasyncSync(file);
        pendingLines = '';
      }
      const fresh = all.slice(committed);
      committed = all.length;
      if (fresh.length > 0) for (const listener of [...listeners]) listener(fresh);
    },
    scavenge: (isWaste) => {
      const kept = all.filter((event) => !isWaste(event));
      all.splice(0, all.length, ...kept);
      committed = all.length;
      for (const [name, events] of streams)
        streams.set(
          name,
          events.filter((event) => !isWaste(event)),
        );
    },
    age: (ms) => {
      agedMs += ms;
    },
    isPlace: (position) => places.has(position),
    onCommit: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => {
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}

const BIGINTS = new Set(['revision', 'position']);
const BYTES = new Set(['data', 'metadata']);

function writeLogged(this: unknown, key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (BYTES.has(key))
    return Buffer.from((this as { [key: string]: Uint8Array })[key] ?? []).toString('base64');
  return value;
}

function reviveLogged(key: string, value: unknown): unknown {
  if (BIGINTS.has(key)) return BigInt(String(value));
  if (BYTES.has(key)) return Buffer.from(String(value), 'base64');
  return value;
}
