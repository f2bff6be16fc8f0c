import { Type, type Static } from '#kernel/values/schema.js';
import type { OnProgress } from '#kernel/ports/work-progress.js';
import type { IngestProgress } from '#network/ingest.js';
import type { LineMessage } from '#network/line-faults.js';

/** Messages by line number, at most 1,000. */
export const LineMessages = Type.Array(Type.Object({ line: Type.Integer(), message: Type.String() }));

/** The messages as they are returned. */
export const toLineMessages = (messages: readonly LineMessage[]): Static<typeof LineMessages> => [
  ...messages,
];

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
