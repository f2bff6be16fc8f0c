import { Type } from '#kernel/values/schema.js';
import { INGEST_WINDOW_BYTES } from '#network/ingest.js';
import type { StreamCommand } from '../support/operator-command.js';
import { countOf, lineProgress, LineReport, lineReport } from './line-messages.js';

export const networkIngest: StreamCommand = {
  name: 'network.ingest',
  summary: 'Store observations of the network: one JSON object per line; a repetition changes nothing',
  contentType: 'application/x-ndjson',
  windowBytes: INGEST_WINDOW_BYTES,
  output: Type.Object({ accepted: Type.Integer(), unchanged: Type.Integer(), ...LineReport }),
  // There were lines, and none of them was valid.
  isFailure: (output) =>
    countOf(output, 'rejected_total') > 0 && countOf(output, 'accepted') + countOf(output, 'unchanged') === 0,
  async run(host, chunks, { strict }, onProgress) {
    const report = await host.network.ingest(chunks, { strict, onProgress: lineProgress(onProgress) });
    return { accepted: report.accepted, unchanged: report.unchanged, ...lineReport(report) };
  },
};
