import { characterKind, WORD_OF_SPACED_SCRIPT } from '#kernel/values/text-folding.js';
import { AFTER_EDGE, alphabetOf, keywordTrie, ROOTS, type KeywordTrie } from './keyword-trie.js';

/**
 * Writes the patterns that occur in the folded text into `found`, without duplicates, in no order; returns their
 * number.
 */
export type KeywordAutomaton = (text: string, found: Int32Array) => number;

/**
 * Cells of the full transition table. States are numbered by depth, so the table holds those near the root, where
 * nearly every step of a text without matches takes place, and it fits the processor's cache. Deeper states keep only
 * the edges of the trie, so memory grows with the patterns and not with their alphabet.
 */
const TABLE_CELLS = 1 << 20;

/**
 * Finds many folded patterns with word edges (OP-69) in one pass over the UTF-16 code units of a text, including
 * overlapping ones (Aho and Corasick, 1975). A pattern that requires an edge before it is not started after a letter
 * that leaves no edge, because it would be followed to its end in vain. Patterns are distinct, not empty and sorted
 * by code units; they are identified by their index. Measured: 5.8 times as fast as the best package with 1,000
 * keywords, 4.9 times with 10,000 (`npm run bench -- keywords`).
 */
export function keywordAutomaton(sorted: readonly string[]): KeywordAutomaton {
  const { unitOf, letterOf } = alphabetOf(sorted);
  const blocking = Uint8Array.from(unitOf, (unit) => (blocks(unit) ? 1 : 0));
  const trie = keywordTrie(sorted, letterOf);
  const { patternAt } = trie;
  const { tabled, table, step, ending, shorter } = transitionsOf(trie, blocking);
  const letters = blocking.length;
  const stands = edgesOf(sorted);
  const foundIn = new Uint32Array(sorted.length);
  let search = 0;

  return (text, found) => {
    search = (search + 1) >>> 0;
    if (search === 0) {
      foundIn.fill(0);
      search = 1;
    }
    let count = 0;
    let state = AFTER_EDGE;
    for (let index = 0; index < text.length; index++) {
      const letter = letterOf[text.charCodeAt(index)] ?? 0;
      if (state < tabled) {
        const next = table[state * letters + letter] ?? 0;
        state = next >> 1;
        if ((next & 1) === 0) continue;
      } else state = step(state, letter);
      for (let end = ending[state] ?? 0; end !== 0; end = shorter[end] ?? 0) {
        const pattern = patternAt[end] ?? 0;
        if (foundIn[pattern] === search || !stands(pattern, text, index + 1)) continue;
        foundIn[pattern] = search;
        found[count++] = pattern;
        if (count === sorted.length) return count;
      }
    }
    return count;
  };
}

type Transitions = {
  /** The states with a row in the table: the first ones. */
  readonly tabled: number;
  /**
   * The next state by state and letter, shifted by one; the lowest bit says that patterns end there. By letter 0:
   * AFTER_EDGE.
   */
  readonly table: Int32Array;
  /** The next state of any state. */
  readonly step: (state: number, letter: number) => number;
  /** The state itself or its nearest suffix that ends a pattern; 0 for none. */
  readonly ending: Int32Array;
  /** For a state that ends a pattern: its nearest shorter suffix that does. */
  readonly shorter: Int32Array;
};

function transitionsOf(trie: KeywordTrie, blocking: Uint8Array): Transitions {
  const { states, childrenFrom, letterTo, patternAt } = trie;
  const letters = blocking.length;
  const fallback = new Int32Array(states);
  const ending = new Int32Array(states);
  const shorter = new Int32Array(states);
  const tabled = Math.max(ROOTS, Math.min(states, Math.floor(TABLE_CELLS / letters)));
  const table = new Int32Array(tabled * letters);

  const step = (from: number, letter: number): number => {
    let state = from;
    while (state >= tabled) {
      const end = childrenFrom[state + 1] ?? 0;
      for (let child = childrenFrom[state] ?? 0; child < end; child++) {
        if (letterTo[child] === letter) return child;
      }
      state = fallback[state] ?? 0;
    }
    return (table[state * letters + letter] ?? 0) >> 1;
  };

  const add = (child: number, back: number): number => {
    fallback[child] = back;
    shorter[child] = ending[back] ?? 0;
    ending[child] = (patternAt[child] ?? -1) >= 0 ? child : (ending[back] ?? 0);
    return (child << 1) | (ending[child] === 0 ? 0 : 1);
  };

  for (let letter = 1; letter < letters; letter++) {
    table[letter] = (blocking[letter] ?? 0) << 1;
    table[letters + letter] = table[letter] ?? 0;
  }
  const firstEnd = childrenFrom[ROOTS] ?? 0;
  for (let child = ROOTS; child < firstEnd; child++) {
    const letter = letterTo[child] ?? 0;
    table[letter] = add(child, blocking[letter] ?? 0);
    if (blocking[letter] === 0) table[letters + letter] = table[letter] ?? 0;
  }
  // States are ordered by depth, so the fallback of a state is complete before the state.
  for (let state = ROOTS; state < states; state++) {
    const back = fallback[state] ?? 0;
    if (state < tabled) table.copyWithin(state * letters, back * letters, (back + 1) * letters);
    const end = childrenFrom[state + 1] ?? 0;
    for (let child = childrenFrom[state] ?? 0; child < end; child++) {
      const letter = letterTo[child] ?? 0;
      const cell = add(child, step(back, letter));
      if (state < tabled) table[state * letters + letter] = cell;
    }
  }
  return { tabled, table, step, ending, shorter };
}

/** Whether an occurrence that ends there has the word edges that the pattern requires. */
function edgesOf(sorted: readonly string[]): (pattern: number, text: string, end: number) => boolean {
  const lengths = Int32Array.from(sorted, (pattern) => pattern.length);
  const asksBefore = Uint8Array.from(sorted, (pattern) => (blocks(pattern.codePointAt(0) ?? 0) ? 1 : 0));
  const asksAfter = Uint8Array.from(sorted, (pattern) =>
    blocks(codePointBefore(pattern, pattern.length)) ? 1 : 0,
  );
  return (pattern, text, end) => {
    if (asksAfter[pattern] === 1 && blocks(text.codePointAt(end) ?? 0)) return false;
    if (asksBefore[pattern] === 0) return true;
    const start = end - (lengths[pattern] ?? 0);
    // the transitions do not distinguish units that no pattern has, and do not know the character of half a pair
    return start === 0 || !blocks(codePointBefore(text, start));
  };
}

/** Two such characters next to each other make no word edge. */
function blocks(codePoint: number): boolean {
  return characterKind(codePoint) === WORD_OF_SPACED_SCRIPT;
}

function codePointBefore(text: string, end: number): number {
  const unit = text.charCodeAt(end - 1);
  const pair = end > 1 && unit >= 0xdc00 && unit <= 0xdfff ? text.codePointAt(end - 2) : undefined;
  return pair !== undefined && pair > 0xffff ? pair : unit;
}
