import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { MatchMode } from '../keyword-matching.js';
import { searchSymbols, searchWords } from '../search-words.js';
import type { TextKind } from '../text-window.js';
import { TEXTS_PER_SECOND } from './text-ids.js';

/** The word index tables, by kind. */
export const WORDS_OF = { post: 'post_words', job_posting: 'job_posting_words' } as const;

const SECONDS_OF_A_WEEK = 604_800;

/**
 * The week number of a second. Each word in the index is prefixed with its week, because FTS5 walks the list of a
 * word from its beginning: so the cost of a page depends on its week, not on the length of the history. Measured: the
 * last five pages of 90 days take 0.47 of the time of the first five, before 12 times (`npm run bench -- scale`).
 */
export function weekOf(second: number): number {
  return Math.floor(second / SECONDS_OF_A_WEEK);
}

export function lastSecondOf(week: number): number {
  return (week + 1) * SECONDS_OF_A_WEEK - 1;
}

/** The prefix of a week: weeks up to 2106 have three digits. */
const weekPrefix = (week: number): string => week.toString(36).padStart(3, '0');

/** The indexed words of a text. */
export function indexedWords(textId: number, text: string): string {
  const prefix = weekPrefix(weekOf(Math.floor(textId / TEXTS_PER_SECOND)));
  return [...searchWords(text), ...searchSymbols(text)].map((word) => `${prefix}${word}`).join(' ');
}

/** The change of one entry: its words, or null for removal; and whether the index already has it. */
type Change = { readonly words: string | null; readonly indexed: boolean };

/**
 * The full-text index of one kind. Collects the changes of a transaction and applies them in the order of `text_id`,
 * because FTS5 flushes its buffer whenever an id decreases.
 */
export function wordIndex(db: DatabaseSyncInstance, kind: TextKind) {
  const table = WORDS_OF[kind];
  const remove = db.prepare(`DELETE FROM ${table} WHERE rowid = ?`);
  const add = db.prepare(`INSERT INTO ${table} (rowid, words) VALUES (?, ?)`);
  const changes = new Map<number, Change>();

  const put = (textId: number, words: string | null, indexedBefore: boolean): void => {
    changes.set(textId, { words, indexed: changes.get(textId)?.indexed ?? indexedBefore });
  };
  return {
    kind,
    /** Discards the changes of a transaction that was rolled back. */
    begin: (): void => changes.clear(),
    change: (before: number | null, after: number | null, text: string | null): void => {
      if (before !== null && before !== after) put(before, null, true);
      if (after !== null) put(after, indexedWords(after, text ?? ''), before === after);
    },
    apply: (): void => {
      for (const [textId, { words, indexed }] of [...changes].sort(([left], [right]) => left - right)) {
        if (indexed) remove.run(textId);
        if (words !== null) add.run(textId, words);
      }
    },
  };
}

/** The expression that finds every row of a week whose words contain one or all of the phrases. */
export function wordQuery(phrases: readonly (readonly string[])[], mode: MatchMode, week: number): string {
  const prefix = weekPrefix(week);
  // Words contain no quotation marks, only word characters.
  const quoted = phrases.map((words) => `"${words.map((word) => `${prefix}${word}`).join(' ')}"`);
  return quoted.join(mode === 'any' ? ' OR ' : ' AND ');
}
