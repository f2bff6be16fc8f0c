import type { OutboundResponse } from '#outbound/outbound.js';

/** The decompressed body of an answer, and the charset that its header declares. */
export type AnswerBody = { readonly bytes: Uint8Array<ArrayBuffer>; readonly charset: string | null };

const CHARSET = /charset=["']?([\w:.-]{1,40})/i;
const XML_ENCODING = /^(?:\u00ef\u00bb\u00bf)?<\?xml[^>]{0,100}encoding=["']([\w:.-]{1,40})/i;
const HTML = /^\s*(?:<!--[^]{0,500}?-->\s*)?<(?:!doctype html|html|head|meta)\b/i;
/** A page in which it can be read is not in UTF-16. */
const META_CHARSET = /<meta\s[^>]{0,200}?\bcharset\s*=\s*["']?(?!utf-16)([\w:.-]{1,40})/i;
/** Browsers look no further. */
const DECLARING_BYTES = 1_024;
const BEGINNING_BYTES = 64 * 1024;
const FIRST_BUFFER_BYTES = 64 * 1024;
/** The maximum buffer for a declared length: a host may declare any length. */
const MAX_DECLARED_BYTES = 32 * 1024 * 1024;

/** Reads the body of an answer. Throws `OutboundFailure`. */
export async function bodyOf({ headers, body }: OutboundResponse): Promise<AnswerBody> {
  // An own buffer can be transferred to a thread without a copy, and is not larger than the body.
  let buffer = new Uint8Array(declaredSize(headers));
  let length = 0;
  for await (const chunk of body) {
    if (length + chunk.byteLength > buffer.byteLength) {
      const larger = new Uint8Array(Math.max(2 * buffer.byteLength, length + chunk.byteLength));
      larger.set(buffer.subarray(0, length));
      buffer = larger;
    }
    buffer.set(chunk, length);
    length += chunk.byteLength;
  }
  return {
    bytes: buffer.subarray(0, length),
    charset: CHARSET.exec(headers['content-type'] ?? '')?.[1] ?? null,
  };
}

/** The declared length of an uncompressed body; a compressed body declares another length. */
function declaredSize(headers: OutboundResponse['headers']): number {
  const contentLength = headers['content-encoding'] === undefined ? Number(headers['content-length']) : NaN;
  return Number.isSafeInteger(contentLength) && contentLength > 0 && contentLength <= MAX_DECLARED_BYTES
    ? contentLength
    : FIRST_BUFFER_BYTES;
}

/** The text, decoded with the charset that the header or the text itself declares. */
export function textIn({ bytes, charset }: AnswerBody): string {
  return decoderOf(charset ?? declaredIn(bytes) ?? 'utf-8', bytes).decode(bytes);
}

function declaredIn(bytes: Uint8Array): string | undefined {
  const beginning = Buffer.from(bytes.subarray(0, DECLARING_BYTES)).toString('latin1');
  const found = XML_ENCODING.exec(beginning) ?? (HTML.test(beginning) ? META_CHARSET.exec(beginning) : null);
  return found?.[1];
}

/** The beginning of the text, which contains its declarations. */
export const beginningOf = ({ bytes, charset }: AnswerBody): string =>
  textIn({ bytes: bytes.subarray(0, BEGINNING_BYTES), charset });

/** A byte order mark takes precedence over a declaration; an unknown charset is read as UTF-8. */
function decoderOf(charset: string, bytes: Uint8Array): InstanceType<typeof TextDecoder> {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return new TextDecoder();
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be');
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le');
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}
