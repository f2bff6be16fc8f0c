import type { OutboundResponse } from '#outbound/outbound.js';

const CHARSET = /charset=["']?([\w:.-]{1,40})/i;
const XML_ENCODING = /^(?:\u00ef\u00bb\u00bf)?<\?xml[^>]{0,100}encoding=["']([\w:.-]{1,40})/i;

/** The text of an answer in the charset that it declares, and its size in bytes. Throws `OutboundFailure`. */
export async function textOf({
  headers,
  body,
}: OutboundResponse): Promise<{ readonly body: string; readonly bytes: number }> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const declared =
    CHARSET.exec(headers['content-type'] ?? '') ?? XML_ENCODING.exec(bytes.toString('latin1', 0, 200));
  return { body: decoderOf(declared?.[1] ?? 'utf-8', bytes).decode(bytes), bytes: bytes.byteLength };
}

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
