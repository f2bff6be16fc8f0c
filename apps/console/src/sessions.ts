import { randomBytes } from 'node:crypto';
import { sha256Hex } from '#kernel/values/hash.js';
import type { LinkAccess } from '#kernel/values/console-links.js';
import type { ActingOperator } from '#kernel/values/operators.js';

/** Who is signed in. */
export type Session = {
  readonly operator: ActingOperator;
  /** Hash of the token that was given; null for the first operator, whose token stands in the settings. */
  readonly tokenHash: string | null;
  /** What every form of the session proves (CSRF). */
  readonly formToken: string;
  /** Present where a read-only link was opened instead of signing in. */
  readonly link?: LinkAccess;
};

const MASK_BYTES = 16;

/** The form token as a form carries it: another text in each page, so that its compressed size tells nothing of it. */
export function maskedToken(formToken: string): string {
  const mask = randomBytes(MASK_BYTES).toString('base64url');
  return `${mask}.${sha256Hex(mask + formToken)}`;
}

/** Whether what a form carries was made of this form token. */
export function provesToken(carried: string | null, formToken: string): boolean {
  const [mask = '', hash = ''] = (carried ?? '').split('.');
  return mask !== '' && hash === sha256Hex(mask + formToken);
}

export type Sessions = {
  /** A new session; the answer is the value of its cookie. */
  readonly open: (operator: ActingOperator, tokenHash: string | null) => string;
  /** The session of a cookie, used now; null for an unknown one and for one that was idle for 30 minutes. */
  readonly find: (cookie: string) => Session | null;
  readonly close: (cookie: string) => void;
  /** Keeps a sentence for the next page of the session. */
  readonly tell: (cookie: string, text: string) => void;
  /** The sentence that is kept for this page, once; null where there is none. */
  readonly told: (cookie: string) => string | null;
};

const IDLE_MS = 30 * 60_000;
const MOST_SESSIONS = 1_000;
const SECRET_BYTES = 32;

/**
 * The sessions of this process, in memory (CON-02): they end with it. Cookies are kept as hashes. Of too many the one that
 * was idle longest ends. `nowMs` is real time: the manual clock of a demo does not end a session.
 */
export function createSessions(nowMs: () => number): Sessions {
  const sessions = new Map<string, Session & { readonly usedAtMs: number }>();
  const sentences = new Map<string, string>();
  const end = (key: string): void => {
    sessions.delete(key);
    sentences.delete(key);
  };
  return {
    open(operator, tokenHash) {
      const cookie = secret();
      sessions.set(sha256Hex(cookie), { operator, tokenHash, formToken: secret(), usedAtMs: nowMs() });
      const [idlest] = sessions.keys();
      if (sessions.size > MOST_SESSIONS && idlest !== undefined) end(idlest);
      return cookie;
    },
    find(cookie) {
      const key = sha256Hex(cookie);
      const session = sessions.get(key);
      if (session === undefined) return null;
      if (nowMs() - session.usedAtMs >= IDLE_MS) {
        end(key);
        return null;
      }
      sessions.delete(key);
      // Put back as the last: the first is the one that was idle longest.
      sessions.set(key, { ...session, usedAtMs: nowMs() });
      return session;
    },
    close: (cookie) => end(sha256Hex(cookie)),
    tell(cookie, text) {
      const key = sha256Hex(cookie);
      if (sessions.has(key)) sentences.set(key, text);
    },
    told(cookie) {
      const key = sha256Hex(cookie);
      const text = sentences.get(key) ?? null;
      sentences.delete(key);
      return text;
    },
  };
}

const secret = (): string => randomBytes(SECRET_BYTES).toString('base64url');
