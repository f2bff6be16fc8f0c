import { Type } from '#kernel/values/schema.js';
import type { OnProgress } from '#kernel/ports/work-progress.js';
import { checkObservations, INGEST_WINDOW_BYTES } from '#network/ingest.js';
import type { StreamCommand, StreamOptions } from '../support/operator-command.js';
import { countOf, LineMessages, lineProgress, toLineMessages } from './line-messages.js';

async function check(
  chunks: AsyncIterable<Uint8Array>,
  { strict }: StreamOptions,
  onProgress: OnProgress,
): Promise<object> {
  const report = await checkObservations(chunks, { strict, onProgress: lineProgress(onProgress) });
  return {
    valid: report.accepted,
    rejected: toLineMessages(report.rejected),
    rejected_total: report.rejectedTotal,
    notes: toLineMessages(report.notes),
    notes_total: report.notesTotal,
  };
}

export const networkCheck: StreamCommand = {
  name: 'network.check',
  summary: 'List all faults of observations of the network: one JSON object per line; nothing is stored',
  contentType: 'application/x-ndjson',
  windowBytes: INGEST_WINDOW_BYTES,
  output: Type.Object({
    valid: Type.Integer(),
    rejected: LineMessages,
    rejected_total: Type.Integer(),
    notes: LineMessages,
    notes_total: Type.Integer(),
  }),
  // A check succeeds only if every line is valid.
  isFailure: (output) => countOf(output, 'rejected_total') > 0,
  withoutStores: check,
  run: (_host, chunks, options, onProgress) => check(chunks, options, onProgress),
};
