import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { MatchMode } from '../keyword-matching.js';
import { searchSymbols, searchWords } from '../search-words.js';
import type { TextKind } from '../text-window.js';
import { TEXTS_PER_SECOND } from './text-ids.js';

/** The index of the words of what is searched. */
export const WORDS_OF = { post: 'post_words', job_posting: 'job_posting_words' } as const;

const SECONDS_OF_A_WEEK = 604_800;

/**
 * The week of a second, by number. Each word stands in the index behind its week, because FTS5 walks the list of a word
 * from its beginning: so a page costs what its week holds, however long the history is.
 */
export function weekOf(second: number): number {
  return Math.floor(second / SECONDS_OF_A_WEEK);
}

export function lastSecondOf(week: number): number {
  return (week + 1) * SECONDS_OF_A_WEEK - 1;
}

/** A week as the beginning of a word: weeks up to 2106 have three digits. */
const weekPrefix = (week: number): string => week.toString(36).padStart(3, '0');

/** What the index holds of a text. */
export function indexedWords(textId: number, text: string): string {
  const prefix = weekPrefix(weekOf(Math.floor(textId / TEXTS_PER_SECOND)));
  return [...searchWords(text), ...searchSymbols(text)].map((word) => `${prefix}${word}`).join(' ');
}

/** What becomes of one entry: its words, or null when it goes; and whether the index holds it already. */
type Change = { readonly words: string | null; readonly indexed: boolean };

/**
 * The full-text index of one kind. Gathers the changes of a transaction and applies them in the order of
 * `text_id`, because FTS5 writes out its buffer at every step back.
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
    /** Forgets the changes of a transaction that was rolled back. */
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

/** The expression that finds every row of a week whose words hold one or all of the phrases. */
export function wordQuery(phrases: readonly (readonly string[])[], mode: MatchMode, week: number): string {
  const prefix = weekPrefix(week);
  // Words hold no quotation marks: they are made of word characters only.
  const quoted = phrases.map((words) => `"${words.map((word) => `${prefix}${word}`).join(' ')}"`);
  return quoted.join(mode === 'any' ? ' OR ' : ' AND ');
}
