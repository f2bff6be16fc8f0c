import type { Line } from './source-kind.js';

/**
 * The lines, with null instead of each line whose ref an earlier one has. Both contents of such a ref would be stored one
 * after the other, and each reading would replace one by the other although the source shows nothing new (SRC-01). An
 * answer has a bounded size, so its refs are kept whole, unlike the ids of a file in `firstSights`.
 */
export function* firstOfEach(lines: Iterable<Line | null>): Generator<Line | null> {
  const refs = new Set<string>();
  for (const line of lines) {
    const isRepeated = line !== null && refs.has(line.ref);
    if (line !== null) refs.add(line.ref);
    yield isRepeated ? null : line;
  }
}
