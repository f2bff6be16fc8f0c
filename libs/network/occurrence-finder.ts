/** Says whether an occurrence of a pattern at text[start, end) counts. */
export type Accepts = (pattern: number, start: number, end: number) => boolean;

/** Indexes of the patterns with an accepted occurrence in the text, each once, in no order. */
export type OccurrenceFinder = (text: string, accepts: Accepts) => readonly number[];

/**
 * Cells of the full transition table. States are numbered by depth, so the table holds those near the root,
 * where nearly every step of a text that matches nothing takes place, and it fits the processor's cache. The
 * states below keep only the edges of the trie, so memory grows with the patterns and not with their alphabet.
 */
const TABLE_CELLS = 1 << 20;

/**
 * Finds many patterns in one pass over the UTF-16 code units of a text, overlapping ones included
 * (Aho and Corasick, 1975). Patterns are distinct and not empty.
 */
export function occurrenceFinder(patterns: readonly string[]): OccurrenceFinder {
  const { letters, letterOf } = alphabetOf(patterns);
  const trie = trieOf(patterns, letterOf);
  const { states, edgesFrom, edgeLetter, edgeTarget, patternAt } = trie;
  const fallback = new Int32Array(states);
  /** The state itself or the nearest suffix of it that ends a pattern; 0 for none. */
  const ending = new Int32Array(states);
  const tabled = Math.max(1, Math.min(states, Math.floor(TABLE_CELLS / letters)));
  const table = new Int32Array(tabled * letters);

  const step = (from: number, letter: number): number => {
    let state = from;
    while (state >= tabled) {
      const end = edgesFrom[state + 1] ?? 0;
      for (let edge = edgesFrom[state] ?? 0; edge < end; edge++) {
        if (edgeLetter[edge] === letter) return edgeTarget[edge] ?? 0;
      }
      state = fallback[state] ?? 0;
    }
    return table[state * letters + letter] ?? 0;
  };

  // States come by depth, so whatever a state falls back to is complete when its turn comes.
  for (let state = 0; state < states; state++) {
    const back = fallback[state] ?? 0;
    ending[state] = (patternAt[state] ?? -1) >= 0 ? state : (ending[back] ?? 0);
    if (state < tabled && state > 0) table.copyWithin(state * letters, back * letters, (back + 1) * letters);
    const end = edgesFrom[state + 1] ?? 0;
    for (let edge = edgesFrom[state] ?? 0; edge < end; edge++) {
      const letter = edgeLetter[edge] ?? 0;
      const target = edgeTarget[edge] ?? 0;
      if (state > 0) fallback[target] = step(back, letter);
      if (state < tabled) table[state * letters + letter] = target;
    }
  }

  const lengths = Int32Array.from(patterns, (pattern) => pattern.length);
  const foundIn = new Uint32Array(patterns.length);
  let search = 0;

  return (text, accepts) => {
    search = (search + 1) >>> 0;
    if (search === 0) {
      foundIn.fill(0);
      search = 1;
    }
    const found: number[] = [];
    let state = 0;
    for (let index = 0; index < text.length; index++) {
      const letter = letterOf[text.charCodeAt(index)] ?? 0;
      if (letter === 0) state = 0;
      else if (state < tabled) state = table[state * letters + letter] ?? 0;
      else state = step(state, letter);
      for (let end = ending[state] ?? 0; end !== 0; end = ending[fallback[end] ?? 0] ?? 0) {
        const pattern = patternAt[end] ?? 0;
        if (foundIn[pattern] === search) continue;
        if (!accepts(pattern, index + 1 - (lengths[pattern] ?? 0), index + 1)) continue;
        foundIn[pattern] = search;
        found.push(pattern);
        if (found.length === patterns.length) return found;
      }
    }
    return found;
  };
}

/** Numbers the code units that occur in patterns; 0 is every other unit. */
function alphabetOf(patterns: readonly string[]): { letters: number; letterOf: Uint16Array } {
  const letterOf = new Uint16Array(0x1_0000);
  let letters = 1;
  for (const pattern of patterns) {
    for (let index = 0; index < pattern.length; index++) {
      const unit = pattern.charCodeAt(index);
      if (letterOf[unit] === 0) letterOf[unit] = letters++;
    }
  }
  return { letters, letterOf };
}

type Trie = {
  readonly states: number;
  /** Edges of state s are at [edgesFrom[s], edgesFrom[s + 1]). */
  readonly edgesFrom: Int32Array;
  readonly edgeLetter: Uint16Array;
  readonly edgeTarget: Int32Array;
  /** Pattern that ends at a state; -1 for none. */
  readonly patternAt: Int32Array;
};

function trieOf(patterns: readonly string[], letterOf: Uint16Array): Trie {
  const children: Map<number, number>[] = [new Map()];
  const endOf = new Map<number, number>();
  patterns.forEach((pattern, number) => {
    let node = 0;
    for (let index = 0; index < pattern.length; index++) {
      const letter = letterOf[pattern.charCodeAt(index)] ?? 0;
      const edges = children[node] ?? new Map<number, number>();
      let child = edges.get(letter);
      if (child === undefined) {
        child = children.length;
        children.push(new Map());
        edges.set(letter, child);
      }
      node = child;
    }
    endOf.set(node, number);
  });

  const states = children.length;
  const edgesFrom = new Int32Array(states + 1);
  const edgeLetter = new Uint16Array(states);
  const edgeTarget = new Int32Array(states);
  const patternAt = new Int32Array(states).fill(-1);
  const byDepth = [0];
  let edge = 0;
  for (let state = 0; state < states; state++) {
    const node = byDepth[state] ?? 0;
    patternAt[state] = endOf.get(node) ?? -1;
    edgesFrom[state] = edge;
    for (const [letter, child] of children[node] ?? []) {
      edgeLetter[edge] = letter;
      edgeTarget[edge] = byDepth.length;
      byDepth.push(child);
      edge++;
    }
  }
  edgesFrom[states] = edge;
  return { states, edgesFrom, edgeLetter, edgeTarget, patternAt };
}
