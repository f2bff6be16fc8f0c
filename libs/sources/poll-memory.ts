import { isJsonObject, type JsonObject, type JsonValue } from '#kernel/values/json.js';
import type { SourceDocument } from '#projections/sources/sources/sources.projection.js';

/** The key of the memory of a source. */
export const pollKey = ({ kind, boardId }: Pick<SourceDocument, 'kind' | 'boardId'>): string =>
  `${kind}:${boardId}`;

/** The stored result of a poll, for the next poll and for operators. Times are real time in milliseconds. */
export type PollMemory = {
  /** The source whose poll left it; null: an earlier version did not record that. */
  readonly sourceId: number | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** Whether a complete reading exists: items that appear later are new. */
  readonly isRead: boolean;
  /** The company or person of the items of the last reading, by ref; null: they name their own, or nothing was read. */
  readonly subjectRef: string | null;
  readonly nextPollAtMs: number;
  /** The host asks for no request before this time. */
  readonly notBeforeMs: number;
  /** Hours of the day (UTC) in which the source asked not to be read when it was last read. */
  readonly skipHours: readonly number[];
  readonly lastPollAtMs: number | null;
  readonly lastSuccessAtMs: number | null;
  /** When a reading last had items: an empty answer is a success without yield. */
  readonly lastYieldAtMs: number | null;
  /** Failures in a row. */
  readonly failures: number;
  readonly lastFailure: string | null;
  /** 404 answers in a row, at polls at least half an hour apart. */
  readonly missing: number;
  readonly missingAtMs: number;
  readonly isGone: boolean;
  /** Empty readings in a row. */
  readonly empty: number;
  /** Refs missing in the last reading, if it left a doubt: if they are missing again, they are closed. */
  readonly suspects: readonly string[];
  readonly items: number;
  /** For the last reading: items that were never observed before, and items with changed content. */
  readonly added: number;
  readonly changed: number;
  readonly closed: number;
  readonly skipped: number;
  /**
   * How many postings were open when a reading began of which not everything is stored; null: the last one is complete.
   */
  readonly openBefore: number | null;
  /** What the kind keeps for the next poll, for example items that need not be requested again. */
  readonly known: readonly string[];
  /** The duration of the last poll. */
  readonly tookMs: number;
};

/** The stored memory; an absent member, or one of another type, has its initial value. */
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
  const list = (name: keyof PollMemory): readonly JsonValue[] => {
    const found = value(name);
    return Array.isArray(found) ? found : [];
  };
  const texts = (name: keyof PollMemory) => list(name).filter((one) => typeof one === 'string');
  const numbers = (name: keyof PollMemory) => list(name).filter((one) => typeof one === 'number');
  return {
    sourceId: moment('sourceId'),
    etag: text('etag'),
    lastModified: text('lastModified'),
    isRead: value('isRead') === true,
    subjectRef: text('subjectRef'),
    nextPollAtMs: count('nextPollAtMs'),
    notBeforeMs: count('notBeforeMs'),
    skipHours: numbers('skipHours'),
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
    openBefore: moment('openBefore'),
    known: texts('known'),
    tookMs: count('tookMs'),
  };
}

/** The stored form. */
export function keptMemory(memory: PollMemory): JsonObject {
  const kept: JsonValue = { ...memory };
  if (!isJsonObject(kept)) throw new Error('a memory is an object');
  return kept;
}
