import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { StoreUnusable } from '#kernel/ports/event-store.port.js';

/** The stored form of secrets. It includes the name: a value that is moved under another name cannot be read. */
export type Wrapping = {
  readonly wrap: (name: string, secret: string) => string;
  /** Throws `StoreUnusable` for a secret that another key wrapped, and without a key. */
  readonly unwrap: (name: string, stored: string) => string;
};

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Bytes of the key that wraps. */
const KEY_BYTES = 32;
/** The beginning of a stored secret that is not wrapped. */
export const OPEN = 'open:';
/** The beginning of a wrapped one. */
export const WRAPPED = 'v1:';

/**
 * Wraps with AES in GCM mode under this key; without a key secrets are stored unwrapped, protected only by access to the store.
 * Secrets that were stored before a key was set can still be read.
 */
export function wrapping(key: Uint8Array | null): Wrapping {
  return {
    wrap(name, secret) {
      if (key === null) return `${OPEN}${secret}`;
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(name));
      const hidden = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return `${WRAPPED}${Buffer.concat([iv, cipher.getAuthTag(), hidden]).toString('base64')}`;
    },
    unwrap(name, stored) {
      if (stored.startsWith(OPEN)) return stored.slice(OPEN.length);
      if (key === null)
        throw new StoreUnusable(
          'secrets are wrapped by a key: set SECRETS_KEY_FILE to the file with this key',
        );
      try {
        const bytes = Buffer.from(stored.slice(WRAPPED.length), 'base64');
        const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES))
          .setAAD(Buffer.from(name))
          .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
        const shown = [decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()];
        return Buffer.concat(shown).toString('utf8');
      } catch (error) {
        throw new StoreUnusable('secrets are wrapped by another key than the one in SECRETS_KEY_FILE', {
          cause: error,
        });
      }
    },
  };
}

/** The key in the text of a key file: 32 bytes in hexadecimal or base64; null for anything else. */
export function readWrappingKey(text: string): Uint8Array | null {
  const written = text.trim();
  if (/^[0-9a-f]{64}$/i.test(written)) return Buffer.from(written, 'hex');
  const bytes = /^[A-Za-z0-9+/]{43}=?$/.test(written) ? Buffer.from(written, 'base64') : null;
  return bytes?.length === KEY_BYTES ? bytes : null;
}
