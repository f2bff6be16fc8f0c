import robotsParserModule from 'robots-parser';
import { OutboundFailure } from '#outbound/outbound-failure.js';
import type { Outbound } from '#outbound/outbound.js';

/** By what name robots.txt may speak of this service. */
export const PRODUCT = 'signal-ledger';

// Its types speak of a module with a default; what Node.js loads is the function itself.
const robotsParser =
  typeof robotsParserModule === 'function' ? robotsParserModule : robotsParserModule.default;

/** What a host allows. */
type Rules = {
  readonly isAllowed: (url: string) => boolean;
  /** The pause between two requests that it asks for. */
  readonly paceMs: number;
};

const KEPT_MS = 86_400_000;
/** Of rules that could not be read. */
const KEPT_SHORTLY_MS = 600_000;
const MAX_BYTES = 512 * 1024;

const ANYTHING: Rules = { isAllowed: () => true, paceMs: 0 };
const NOTHING: Rules = { isAllowed: () => false, paceMs: 0 };

/**
 * The robots.txt of hosts, kept for a day (RFC 9309): where there is none (4xx) everything is allowed, where it cannot
 * be read nothing is, for ten minutes.
 */
export function robotsRules(
  outbound: Outbound,
  headers: Readonly<Record<string, string>>,
  nowMs: () => number,
): (url: string, signal: AbortSignal) => Promise<Rules> {
  const kept = new Map<string, { readonly rules: Rules; readonly untilMs: number }>();

  async function read(origin: string, signal: AbortSignal): Promise<Rules> {
    const url = `${origin}/robots.txt`;
    try {
      const request = { method: 'GET', url, headers, redirects: 5, maxBodyBytes: MAX_BYTES, signal } as const;
      const { status, body, discard } = await outbound.request(request);
      if (status < 200 || status >= 300) {
        discard();
        return status >= 400 && status < 500 && status !== 429 ? ANYTHING : NOTHING;
      }
      const chunks: Uint8Array[] = [];
      for await (const chunk of body) chunks.push(chunk);
      const rules = robotsParser(url, Buffer.concat(chunks).toString('utf8'));
      return {
        isAllowed: (asked) => rules.isAllowed(asked, PRODUCT) !== false,
        paceMs: (rules.getCrawlDelay(PRODUCT) ?? 0) * 1_000,
      };
    } catch (error) {
      if (!(error instanceof OutboundFailure)) throw error;
      return NOTHING;
    }
  }

  return async (url, signal) => {
    const { origin } = new URL(url);
    const known = kept.get(origin);
    if (known !== undefined && known.untilMs > nowMs()) return known.rules;
    const rules = await read(origin, signal);
    kept.set(origin, { rules, untilMs: nowMs() + (rules === NOTHING ? KEPT_SHORTLY_MS : KEPT_MS) });
    return rules;
  };
}
