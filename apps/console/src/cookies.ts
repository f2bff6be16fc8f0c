import type { BrowserHeaders } from '#http/endpoint.js';

const COOKIE = 'console_session';

/** The prefix of the cookie value of a read-only link. */
export const LINK_COOKIE = 'link.';

export const linkSecretIn = (cookie: string): string | null =>
  cookie.startsWith(LINK_COOKIE) ? cookie.slice(LINK_COOKIE.length) : null;

/** The header that stores the session value in a browser. */
export const cookieHeader = (value: string, { isEncrypted }: BrowserHeaders, rest = ''): string =>
  `${COOKIE}=${value}; Path=/console; HttpOnly; SameSite=Lax${isEncrypted ? '; Secure' : ''}${rest}`;

/** The session value in the cookies of a browser; null: none. */
export function cookieIn(header: string): string | null {
  const own = header
    .split(';')
    .map((each) => each.trim())
    .find((each) => each.startsWith(`${COOKIE}=`));
  return own === undefined ? null : own.slice(COOKIE.length + 1);
}
