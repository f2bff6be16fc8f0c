import type { OutboundResponse } from '#outbound/outbound.js';

/** The body of an answer, unpacked, and the charset that its head declares. */
export type AnswerBody = { readonly bytes: Uint8Array<ArrayBuffer>; readonly charset: string | null };

const CHARSET = /charset=["']?([\w:.-]{1,40})/i;
const XML_ENCODING = /^(?:\u00ef\u00bb\u00bf)?<\?xml[^>]{0,100}encoding=["']([\w:.-]{1,40})/i;
const BEGINNING_BYTES = 64 * 1024;
const FIRST_ROOM_BYTES = 64 * 1024;
/** What a host says of its answer makes no more room than an answer may have. */
const MOST_TOLD_BYTES = 32 * 1024 * 1024;

/** Reads the body of an answer. Throws `OutboundFailure`. */
export async function bodyOf({ headers, body }: OutboundResponse): Promise<AnswerBody> {
  // Memory of its own, which can be handed to a thread without a copy, and no more of it than the body has.
  let room = new Uint8Array(sizeToldIn(headers));
  let length = 0;
  for await (const chunk of body) {
    if (length + chunk.byteLength > room.byteLength) {
      const larger = new Uint8Array(Math.max(2 * room.byteLength, length + chunk.byteLength));
      larger.set(room.subarray(0, length));
      room = larger;
    }
    room.set(chunk, length);
    length += chunk.byteLength;
  }
  return {
    bytes: room.subarray(0, length),
    charset: CHARSET.exec(headers['content-type'] ?? '')?.[1] ?? null,
  };
}

/** How long a body is that says so before it comes; one that is packed says something else. */
function sizeToldIn(headers: OutboundResponse['headers']): number {
  const told = headers['content-encoding'] === undefined ? Number(headers['content-length']) : NaN;
  return Number.isSafeInteger(told) && told > 0 && told <= MOST_TOLD_BYTES ? told : FIRST_ROOM_BYTES;
}

/** The text in the charset that the answer or the text itself declares. */
export function textIn({ bytes, charset }: AnswerBody): string {
  const [, declared = 'utf-8'] =
    XML_ENCODING.exec(Buffer.from(bytes.subarray(0, 200)).toString('latin1')) ?? [];
  return decoderOf(charset ?? declared, bytes).decode(bytes);
}

/** The beginning of the text, where its head stands. */
export const beginningOf = ({ bytes, charset }: AnswerBody): string =>
  textIn({ bytes: bytes.subarray(0, BEGINNING_BYTES), charset });

/** A byte order mark goes before what is declared; what no decoder knows is read as UTF-8. */
function decoderOf(charset: string, bytes: Uint8Array): InstanceType<typeof TextDecoder> {
  const [first, second] = bytes;
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be');
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le');
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}
