import { characterKind, WORD_OF_SPACED_SCRIPT } from '#kernel/values/text-folding.js';
import { AFTER_EDGE, alphabetOf, keywordTrie, ROOTS, type KeywordTrie } from './keyword-trie.js';

/** Puts into `found` the patterns that stand in the folded text, each once, in no order; gives their number. */
export type KeywordAutomaton = (text: string, found: Int32Array) => number;

/**
 * Cells of the full transition table. States are numbered by depth, so the table holds those near the root,
 * where nearly every step of a text that matches nothing takes place, and it fits the processor's cache. The
 * states below keep only the edges of the trie, so memory grows with the patterns and not with their alphabet.
 */
const TABLE_CELLS = 1 << 20;

/**
 * Finds many folded patterns with word edges (OP-69) in one pass over the UTF-16 code units of a text,
 * overlapping ones included (Aho and Corasick, 1975). A pattern that asks for an edge before it is not begun
 * after a letter of the patterns that leaves none: it would be followed to its end for nothing. Patterns are
 * distinct, not empty and in the order of code units; they are named by their index.
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
  /** The first states, which have a row in the table. */
  readonly tabled: number;
  /** The next state by state and letter, shifted by one; the lowest bit says that patterns end there. By letter 0: AFTER_EDGE. */
  readonly table: Int32Array;
  /** The next state of any state. */
  readonly step: (state: number, letter: number) => number;
  /** The state itself or the nearest suffix of it that ends a pattern; 0 for none. */
  readonly ending: Int32Array;
  /** Of a state that ends a pattern: the nearest shorter suffix that does. */
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
  // States come by depth, so whatever a state falls back to is complete when its turn comes.
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

/** Says whether an occurrence of a pattern that ends there has the edges that the pattern asks for. */
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
    // the transitions know nothing of units that no pattern has, nor which character half a pair belongs to
    return start === 0 || !blocks(codePointBefore(text, start));
  };
}

/** Two such characters side by side make no word edge. */
function blocks(codePoint: number): boolean {
  return characterKind(codePoint) === WORD_OF_SPACED_SCRIPT;
}

function codePointBefore(text: string, end: number): number {
  const unit = text.charCodeAt(end - 1);
  const pair = end > 1 && unit >= 0xdc00 && unit <= 0xdfff ? text.codePointAt(end - 2) : undefined;
  return pair !== undefined && pair > 0xffff ? pair : unit;
}
