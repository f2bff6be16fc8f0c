import { Type } from '#kernel/values/schema.js';
import type { OnProgress } from '#kernel/ports/work-progress.js';
import type { IngestProgress, IngestReport } from '#network/ingest.js';

/** Messages by line number, at most 1,000. */
export const LineMessages = Type.Array(Type.Object({ line: Type.Integer(), message: Type.String() }));

/** What was wrong with the lines of an ingest or a check, and what was noted about others. */
export const LineReport = {
  rejected: LineMessages,
  rejected_total: Type.Integer(),
  notes: LineMessages,
  notes_total: Type.Integer(),
};

export const lineReport = ({ rejected, rejectedTotal, notes, notesTotal }: IngestReport) => ({
  rejected: [...rejected],
  rejected_total: rejectedTotal,
  notes: [...notes],
  notes_total: notesTotal,
});

/** Reports the progress of reading in lines per second. */
export function lineProgress(onProgress: OnProgress): (progress: IngestProgress) => void {
  const startedAt = performance.now();
  return ({ lines, rejected }) => {
    const seconds = (performance.now() - startedAt) / 1_000;
    onProgress({
      done: lines,
      total: null,
      perSecond: seconds === 0 ? 0 : lines / seconds,
      ...(rejected === 0 ? {} : { note: `${rejected} rejected` }),
    });
  };
}

/** A count of an output whose schema is erased. */
export function countOf(output: unknown, name: string): number {
  const count: unknown = typeof output === 'object' && output !== null ? Reflect.get(output, name) : 0;
  return typeof count === 'number' ? count : 0;
}
