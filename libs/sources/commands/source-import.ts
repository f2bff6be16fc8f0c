import { randomUUID } from 'node:crypto';
import { MAX_LINE_BYTES, ndjsonLines } from '#kernel/values/ndjson-lines.js';
import { Refusal } from '#kernel/values/refusal.js';
import { Type } from '#kernel/values/schema.js';
import { countOf, LineMessages } from '#ops/network/line-messages.js';
import type { OperatorHost, StreamCommand } from '#ops/support/operator-command.js';
import { runCommand, type OperatorCall } from '#ops/support/run-command.js';
import { sourceAdd } from './source-add.js';

const MOST_REPORTED = 1_000;

export const sourceImport: StreamCommand = {
  name: 'source.import',
  summary: 'Add many sources: one JSON object per line, with the options of source add as members',
  contentType: 'application/x-ndjson',
  windowBytes: 2 * MAX_LINE_BYTES,
  output: Type.Object({
    added: Type.Integer(),
    /** Lines whose source already existed. */
    existing: Type.Integer(),
    rejected: LineMessages,
    rejected_total: Type.Integer(),
  }),
  isFailure: (output) =>
    countOf(output, 'rejected_total') > 0 && countOf(output, 'added') + countOf(output, 'existing') === 0,
  async run(host, chunks, _options, onProgress, operator) {
    const rejected: { readonly line: number; readonly message: string }[] = [];
    let [added, existing, rejectedTotal] = [0, 0, 0];
    for await (const batch of ndjsonLines(chunks)) {
      for (const { number, bytes } of batch) {
        const text = textOf(bytes);
        if (text === '') continue;
        const outcome =
          typeof text === 'string'
            ? await addedOf(host, text, { operator, correlationId: randomUUID() })
            : text;
        if (outcome === 'added') added += 1;
        else if (outcome === 'existing') existing += 1;
        else {
          rejectedTotal += 1;
          if (rejected.length < MOST_REPORTED) rejected.push({ line: number, message: outcome.rejected });
        }
        onProgress({
          done: number,
          total: null,
          note: rejectedTotal === 0 ? '' : `${rejectedTotal} rejected`,
        });
      }
    }
    return { added, existing, rejected, rejected_total: rejectedTotal };
  },
};

type Rejected = { readonly rejected: string };

/** The text of a line, without a byte order mark and white space around it. */
function textOf(bytes: Uint8Array | null): string | Rejected {
  if (bytes === null) return { rejected: `the line is longer than ${MAX_LINE_BYTES} bytes` };
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim();
  } catch {
    return { rejected: 'the line is not valid UTF-8' };
  }
}

/** Adds the source of one line. Idempotent for the same file. */
async function addedOf(
  host: OperatorHost,
  text: string,
  call: OperatorCall,
): Promise<'added' | 'existing' | Rejected> {
  let input: unknown;
  try {
    input = JSON.parse(text);
  } catch {
    return { rejected: 'the line is not valid JSON' };
  }
  try {
    await runCommand(host, sourceAdd, input, call);
    return 'added';
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.declaration.code === 'source-exists') return 'existing';
    const fields = [...(error.details.errors ?? [])].map(
      ([field, messages]) => `${field} ${messages.join('; ')}`,
    );
    return { rejected: fields.length > 0 ? fields.join('; ') : error.message };
  }
}
