/**
 * Patterns as a trie whose states are numbered by depth. There are two roots without a started pattern: AFTER_EDGE
 * and IN_WORD; both have the children of the second.
 */
export type KeywordTrie = {
  readonly states: number;
  /** Children of state s are the states [childrenFrom[s], childrenFrom[s + 1]), in the order of code units. */
  readonly childrenFrom: Int32Array;
  /** The letter that leads from the parent to a state. */
  readonly letterTo: Uint16Array;
  /** The pattern that ends at a state; -1 for none. */
  readonly patternAt: Int32Array;
};

export const AFTER_EDGE = 0;
const IN_WORD = 1;
export const ROOTS = 2;

/** The code units that occur in patterns, numbered from 1; 0 is every other unit. */
type Alphabet = { readonly unitOf: readonly number[]; readonly letterOf: Uint16Array };

export function alphabetOf(patterns: readonly string[]): Alphabet {
  const letterOf = new Uint16Array(0x1_0000);
  const unitOf = [0];
  for (const pattern of patterns) {
    for (let index = 0; index < pattern.length; index++) {
      const unit = pattern.charCodeAt(index);
      if (letterOf[unit] !== 0) continue;
      letterOf[unit] = unitOf.length;
      unitOf.push(unit);
    }
  }
  return { unitOf, letterOf };
}

/**
 * The trie of distinct patterns that are not empty and sorted by code units. Patterns with a common prefix are
 * adjacent, so a state is a range of patterns and its children divide that range.
 */
export function keywordTrie(sorted: readonly string[], letterOf: Uint16Array): KeywordTrie {
  const states = ROOTS + beginnings(sorted);
  const childrenFrom = new Int32Array(states + 1).fill(ROOTS, 0, ROOTS);
  const letterTo = new Uint16Array(states);
  const patternAt = new Int32Array(states).fill(-1);
  const firstOf = new Int32Array(states);
  const afterOf = new Int32Array(states);
  const depthOf = new Int32Array(states);
  afterOf[IN_WORD] = sorted.length;
  let added = ROOTS;
  for (let state = IN_WORD; state < states; state++) {
    childrenFrom[state] = added;
    const depth = depthOf[state] ?? 0;
    const after = afterOf[state] ?? 0;
    let at = firstOf[state] ?? 0;
    if (sorted[at]?.length === depth) patternAt[state] = at++;
    while (at < after) {
      const unit = unitAt(sorted, at, depth);
      firstOf[added] = at++;
      while (at < after && unitAt(sorted, at, depth) === unit) at++;
      afterOf[added] = at;
      depthOf[added] = depth + 1;
      letterTo[added++] = letterOf[unit] ?? 0;
    }
  }
  childrenFrom[states] = added;
  return { states, childrenFrom, letterTo, patternAt };
}

/** The number of distinct non-empty prefixes of the patterns. */
function beginnings(sorted: readonly string[]): number {
  let count = 0;
  let previous = '';
  for (const pattern of sorted) {
    let shared = 0;
    while (shared < previous.length && previous.charCodeAt(shared) === pattern.charCodeAt(shared)) shared++;
    count += pattern.length - shared;
    previous = pattern;
  }
  return count;
}

function unitAt(sorted: readonly string[], at: number, depth: number): number {
  return sorted[at]?.charCodeAt(depth) ?? 0;
}
