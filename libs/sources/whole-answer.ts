import { mapped } from './pieces.js';
import type { ParseOf, ReadWith, SourceKind, SourceReading } from './source-kind.js';

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
  const { sentAtMs, validators: left, notBeforeMs, movedTo } = answer;
  return {
    outcome: 'read',
    lines: mapped(lines, (line) => ({ line, sentAtMs })),
    refs,
    items,
    isPaged: false,
    isWhole: true,
    sentAtMs,
    validators: left,
    notBeforeMs,
    movedTo,
    skipHours,
    known: [],
  };
}
