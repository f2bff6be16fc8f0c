import { hash } from 'node:crypto';

/** SHA-256 of the UTF-8 bytes of a text, as 64 lower-case hex digits. */
export function sha256Hex(text: string): string {
  return hash('sha256', text, 'hex');
}

/** The first bytes of the SHA-256 of a text, in base64: short, and as good as unique from twelve bytes on. */
export function sha256Start(text: string, bytes: number): string {
  return hash('sha256', text, 'buffer').subarray(0, bytes).toString('base64');
}
