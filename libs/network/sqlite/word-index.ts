import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { searchWords } from '../search-words.js';

/** What becomes of one entry: its words, or null when it goes; and whether the index holds it already. */
type Change = { readonly words: string | null; readonly indexed: boolean };

/**
 * The full-text index of one kind. Gathers the changes of a transaction and applies them in the order of
 * `text_id`, because FTS5 writes out its buffer at every step back.
 */
export function wordIndex(
  db: DatabaseSyncInstance,
  kind: 'post' | 'job_posting',
  table: 'post_words' | 'job_posting_words',
) {
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
      if (after !== null) put(after, searchWords(text ?? '').join(' '), before === after);
    },
    apply: (): void => {
      for (const [textId, { words, indexed }] of [...changes].sort(([left], [right]) => left - right)) {
        if (indexed) remove.run(textId);
        if (words !== null) add.run(textId, words);
      }
    },
  };
}

/** The expression that finds every row whose words hold one or all of the phrases. */
export function wordQuery(phrases: readonly (readonly string[])[], mode: 'any' | 'all'): string {
  // Words hold no quotation marks: they are made of word characters only.
  return phrases.map((words) => `"${words.join(' ')}"`).join(mode === 'any' ? ' OR ' : ' AND ');
}
