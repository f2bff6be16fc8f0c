import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { weightsIn } from './accepted.js';

/** Content codings of answers, the smaller one first. */
const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/** `kept`: an answer that is compressed once for all requests. `fresh`: an answer that is compressed for one request. */
type Effort = 'kept' | 'fresh';

const BROTLI_QUALITY: { readonly [Each in Effort]: number } = { kept: 9, fresh: 4 };

/** Compresses bytes on a thread of Node's pool, off the event loop. */
export const compress = (bytes: Buffer, coding: Coding, effort: Effort): Promise<Buffer> =>
  coding === 'gzip'
    ? promisify(gzip)(bytes)
    : promisify(brotliCompress)(bytes, {
        params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY[effort] },
      });

/** The coding that the caller prefers (RFC 9110, section 12.5.3), the smaller of two equal ones; null: none. */
export function codingFor(accepted: string): Coding | null {
  const weights = weightsIn(accepted);
  const weightOf = (coding: Coding): number => weights.get(coding) ?? weights.get('*') ?? 0;
  const [best] = CODINGS.filter((coding) => weightOf(coding) > 0).sort(
    (one, other) => weightOf(other) - weightOf(one),
  );
  return best ?? null;
}
