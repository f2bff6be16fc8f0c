import { Type, type Static } from '#kernel/values/schema.js';
import { INGEST_WINDOW_BYTES } from '#network/ingest.js';
import type { StreamCommand } from '../support/operator-command.js';

const LineMessages = Type.Array(Type.Object({ line: Type.Integer(), message: Type.String() }));

const Output = Type.Object({
  accepted: Type.Integer(),
  unchanged: Type.Integer(),
  rejected: LineMessages,
  rejected_total: Type.Integer(),
  notes: LineMessages,
  notes_total: Type.Integer(),
});
export const networkIngest: StreamCommand = {
  name: 'network.ingest',
  summary: 'Take in observations of the network: one JSON object a line; the same again changes nothing',
  contentType: 'application/x-ndjson',
  windowBytes: INGEST_WINDOW_BYTES,
  output: Output,
  tookNothing: (output) =>
    countOf(output, 'rejected_total') > 0 && countOf(output, 'accepted') + countOf(output, 'unchanged') === 0,
  async run(host, chunks, onProgress) {
    const startedAt = performance.now();
    const report = await host.network.ingest(chunks, {
      onProgress: ({ lines, rejected }) => {
        const seconds = (performance.now() - startedAt) / 1_000;
        onProgress({
          done: lines,
          total: null,
          perSecond: seconds === 0 ? 0 : lines / seconds,
          ...(rejected === 0 ? {} : { note: `${rejected} rejected` }),
        });
      },
    });
    const { accepted, unchanged, rejected, rejectedTotal, notes, notesTotal } = report;
    return { accepted, unchanged, rejected, rejected_total: rejectedTotal, notes, notes_total: notesTotal };
  },
};

function countOf(output: unknown, name: keyof Static<typeof Output>): number {
  const count: unknown = typeof output === 'object' && output !== null ? Reflect.get(output, name) : 0;
  return typeof count === 'number' ? count : 0;
}
