import { isIP } from 'node:net';
import { judgeAddress, type AllowedCidrs } from './addresses.js';

/**
 * Why nothing may be sent to an address, judged by its text alone; null: it may be tried. The address of a name is
 * checked when it is connected to (SRC-09).
 */
export function urlFault(text: string, allowed: AllowedCidrs): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isHttp = url?.protocol === 'http:';
  if (url === null || !(isHttp || url.protocol === 'https:') || url.username + url.password !== '')
    return 'must be an https address without user and password';
  if (isHttp && allowed.length === 0) return 'must be an https address';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) === 0) return null;
  const verdict = judgeAddress(host, allowed);
  if (verdict === 'refused') return 'must not be a special-purpose address';
  return isHttp && verdict !== 'exception' ? 'must be an https address' : null;
}
