import { parentPort } from 'node:worker_threads';
import { MalformedAnswer } from './answer-fields.js';
import { textIn } from './answer-text.js';
import type { ParseOrder, ParseReport } from './parse-thread.js';
import { charactersOf, nextPiece } from './pieces.js';
import type { Line } from './source-kind.js';
import { kindOf } from './source-kinds.js';

/** Lines of the current answer that have not been requested. */
let left: Iterator<Line | null> = [].values();

function reportOf(order: ParseOrder): ParseReport | null {
  if (order === 'drop') {
    left = [].values();
    return null;
  }
  if (order === 'more') return nextPiece(left, charactersOf);
  const kind = kindOf(order.kind);
  if (kind === null) return { failed: `this version reads no ${order.kind}` };
  const { lines, ...parsed } = kind.parse(textIn(order.body), order.of);
  left = lines[Symbol.iterator]();
  return { parsed };
}

parentPort?.on('message', (order: ParseOrder) => {
  let report: ParseReport | null;
  try {
    report = reportOf(order);
  } catch (error) {
    report =
      error instanceof MalformedAnswer
        ? { malformed: error.message }
        : { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  if (report !== null) parentPort?.postMessage(report);
});
