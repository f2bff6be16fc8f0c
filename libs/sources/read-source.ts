import { MalformedAnswer } from './answer-fields.js';
import type { ParseOf, ReadWith, SourceKind, SourceReading } from './source-kind.js';

/** Reads a source. An answer that differs from the documented form is a failure, not an empty result. */
export async function readSource(kind: SourceKind, of: ParseOf, by: ReadWith): Promise<SourceReading> {
  try {
    return await kind.read(of, by);
  } catch (error) {
    if (!(error instanceof MalformedAnswer)) throw error;
    return { outcome: 'failed', why: error.message, notBeforeMs: 0 };
  }
}
