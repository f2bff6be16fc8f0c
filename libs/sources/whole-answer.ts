import { mapped } from './pieces.js';
import type { ParseOf, ReadWith, SourceKind, SourceReading } from './source-kind.js';
import { readingOf } from './source-reading.js';

/** Reads a source whose items are all in one answer, at its own address. */
export async function wholeAnswer(
  kind: SourceKind,
  of: ParseOf,
  { client, parse, validators, signal, onRequest }: ReadWith,
): Promise<SourceReading> {
  const answer = await client.get(of.url, { validators, paceMs: kind.terms.paceMs, signal });
  if (answer.outcome !== 'read') return answer;
  onRequest(1, 1);
  const { lines, refs, items, skipHours } = await parse(kind.name, answer.body, of);
  const { sentAtMs, movedTo } = answer;
  const seen = mapped(lines, (line) => ({ line, sentAtMs }));
  return readingOf(answer, { lines: seen, refs, items, movedTo, skipHours });
}
