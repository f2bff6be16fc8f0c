import { Type } from '#kernel/values/schema.js';
import type { OnProgress } from '#kernel/ports/work-progress.js';
import { checkObservations, INGEST_WINDOW_BYTES } from '#network/ingest.js';
import type { StreamCommand, StreamOptions } from '../support/operator-command.js';
import { countOf, lineProgress, LineReport, lineReport } from './line-messages.js';

async function check(
  chunks: AsyncIterable<Uint8Array>,
  { strict }: StreamOptions,
  onProgress: OnProgress,
): Promise<object> {
  const report = await checkObservations(chunks, { strict, onProgress: lineProgress(onProgress) });
  return { valid: report.accepted, ...lineReport(report) };
}

export const networkCheck: StreamCommand = {
  name: 'network.check',
  summary: 'List all faults of observations of the network: one JSON object per line; nothing is stored',
  contentType: 'application/x-ndjson',
  windowBytes: INGEST_WINDOW_BYTES,
  output: Type.Object({ valid: Type.Integer(), ...LineReport }),
  // A check succeeds only if every line is valid.
  isFailure: (output) => countOf(output, 'rejected_total') > 0,
  withoutStores: check,
  run: (_host, chunks, options, onProgress) => check(chunks, options, onProgress),
};
