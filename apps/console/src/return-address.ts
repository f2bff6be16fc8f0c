import { SIGN_IN } from './page-answers.js';

const HOME = '/console';
/** A browser sends the address twice encoded, in a line that servers limit. */
const MOST_CHARACTERS = 8_000;

/** The address of a page of this console that a sign-in leads to; null for any other text. */
export function returnAddress(text: string): string | null {
  if (!URL.canParse(text, 'http://console')) return null;
  const { host, pathname, search } = new URL(text, 'http://console');
  const isPage = pathname === HOME || pathname.startsWith(`${HOME}/`);
  const isSession = /^\/console\/(sign-|links\/)/.test(pathname);
  return host === 'console' && isPage && !isSession ? pathname + search : null;
}

/** The address of the sign-in form that leads to this address afterwards. */
export function signInFor(address: string): string {
  const to = returnAddress(address);
  if (to === null || to === HOME) return SIGN_IN;
  const whole = `${SIGN_IN}?${new URLSearchParams({ to }).toString()}`;
  return whole.length > MOST_CHARACTERS ? SIGN_IN : whole;
}
