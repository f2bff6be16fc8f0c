import { isJsonObject, type JsonObject, type JsonValue } from '#kernel/values/json.js';

/** What a poll leaves for the next one and for who looks. Moments are real time in milliseconds. */
export type PollMemory = {
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** Whether there was a complete reading: what comes after it is news. */
  readonly isRead: boolean;
  readonly nextPollAtMs: number;
  /** The host asks not to be asked before. */
  readonly notBeforeMs: number;
  readonly lastPollAtMs: number | null;
  readonly lastSuccessAtMs: number | null;
  /** When there was last something to see: an empty answer is a success without yield. */
  readonly lastYieldAtMs: number | null;
  /** Failures in a row. */
  readonly failures: number;
  readonly lastFailure: string | null;
  /** 404 in a row, at polls half an hour and more apart. */
  readonly missing: number;
  readonly missingAtMs: number;
  readonly isGone: boolean;
  /** Empty readings in a row. */
  readonly empty: number;
  /** Refs that the last reading in pieces lacked: lacked again, they are closed. */
  readonly suspects: readonly string[];
  readonly items: number;
  /** Of the last reading: items that were never seen before, and those that had another content. */
  readonly added: number;
  readonly changed: number;
  readonly closed: number;
  readonly skipped: number;
  /** What the next poll need not ask for again. */
  readonly known: readonly string[];
  /** How long the last poll took. */
  readonly tookMs: number;
};

/** The memory as it was kept; what is absent or of another type is as if nothing was read. */
export function memoryIn(kept: JsonObject | null): PollMemory {
  const value = (name: keyof PollMemory): JsonValue => kept?.[name] ?? null;
  const text = (name: keyof PollMemory): string | null => {
    const found = value(name);
    return typeof found === 'string' ? found : null;
  };
  const moment = (name: keyof PollMemory): number | null => {
    const found = value(name);
    return typeof found === 'number' ? found : null;
  };
  const count = (name: keyof PollMemory): number => moment(name) ?? 0;
  const texts = (name: keyof PollMemory): readonly string[] => {
    const found = value(name);
    return Array.isArray(found) ? found.filter((one: JsonValue) => typeof one === 'string') : [];
  };
  return {
    etag: text('etag'),
    lastModified: text('lastModified'),
    isRead: value('isRead') === true,
    nextPollAtMs: count('nextPollAtMs'),
    notBeforeMs: count('notBeforeMs'),
    lastPollAtMs: moment('lastPollAtMs'),
    lastSuccessAtMs: moment('lastSuccessAtMs'),
    lastYieldAtMs: moment('lastYieldAtMs'),
    failures: count('failures'),
    lastFailure: text('lastFailure'),
    missing: count('missing'),
    missingAtMs: count('missingAtMs'),
    isGone: value('isGone') === true,
    empty: count('empty'),
    suspects: texts('suspects'),
    items: count('items'),
    added: count('added'),
    changed: count('changed'),
    closed: count('closed'),
    skipped: count('skipped'),
    known: texts('known'),
    tookMs: count('tookMs'),
  };
}

/** As it is kept. */
export function keptMemory(memory: PollMemory): JsonObject {
  const kept: JsonValue = { ...memory };
  if (!isJsonObject(kept)) throw new Error('a memory is an object');
  return kept;
}
