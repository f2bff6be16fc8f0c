import { randomBytes } from 'node:crypto';
import { sha256Hex } from '#kernel/values/hash.js';
import type { LinkAccess } from '#kernel/values/console-links.js';
import type { ActingOperator } from '#kernel/values/operators.js';

/** A signed-in operator. */
export type Session = {
  readonly operator: ActingOperator;
  /** Hash of the token used; null for the first operator, whose token is in the settings. */
  readonly tokenHash: string | null;
  /** The token that every form of the session must contain (CSRF). */
  readonly formToken: string;
  /** Present if a read-only link was opened instead of a sign-in. */
  readonly link?: LinkAccess;
};

const MASK_BYTES = 16;

/** The form token in the form of a page: a different text each time, so that the compressed size reveals nothing. */
export function maskedToken(formToken: string): string {
  const mask = randomBytes(MASK_BYTES).toString('base64url');
  return `${mask}.${sha256Hex(mask + formToken)}`;
}

/** Whether the text in a form was made from this form token. */
export function provesToken(carried: string | null, formToken: string): boolean {
  const [mask = '', hash = ''] = (carried ?? '').split('.');
  return mask !== '' && hash === sha256Hex(mask + formToken);
}

const IDLE_MS = 30 * 60_000;
const MOST_SESSIONS = 1_000;
const SECRET_BYTES = 32;

export type Sessions = ReturnType<typeof createSessions>;

/**
 * The sessions of this process, in memory (CON-02): they end with it. Cookies are stored as hashes. If there are too
 * many, the session that was idle longest ends. `nowMs` is real time, so that the manual clock of a demo does not end
 * a session.
 */
export function createSessions(nowMs: () => number) {
  const sessions = new Map<string, Session & { readonly usedAtMs: number }>();
  const sentences = new Map<string, string>();
  const end = (key: string): void => {
    sessions.delete(key);
    sentences.delete(key);
  };
  return {
    /** Opens a session; returns the value of its cookie. */
    open(operator: ActingOperator, tokenHash: string | null): string {
      const cookie = secret();
      sessions.set(sha256Hex(cookie), { operator, tokenHash, formToken: secret(), usedAtMs: nowMs() });
      const [idlest] = sessions.keys();
      if (sessions.size > MOST_SESSIONS && idlest !== undefined) end(idlest);
      return cookie;
    },
    /** The session of a cookie, marked as used now; null for an unknown one and after 30 idle minutes. */
    find(cookie: string): Session | null {
      const key = sha256Hex(cookie);
      const session = sessions.get(key);
      if (session === undefined) return null;
      if (nowMs() - session.usedAtMs >= IDLE_MS) {
        end(key);
        return null;
      }
      sessions.delete(key);
      // Re-inserted as the last: the first entry is the one that was idle longest.
      sessions.set(key, { ...session, usedAtMs: nowMs() });
      return session;
    },
    close: (cookie: string): void => end(sha256Hex(cookie)),
    /** Stores a message for the next page of the session. */
    leaveMessage(cookie: string, text: string): void {
      const key = sha256Hex(cookie);
      if (sessions.has(key)) sentences.set(key, text);
    },
    /** Takes the message for this page; null if there is none. */
    takeMessage(cookie: string): string | null {
      const key = sha256Hex(cookie);
      const text = sentences.get(key) ?? null;
      sentences.delete(key);
      return text;
    },
  };
}

const secret = (): string => randomBytes(SECRET_BYTES).toString('base64url');
