import { LRUCache } from 'lru-cache';
import robotsParserModule from 'robots-parser';
import { OutboundFailure } from '#outbound/outbound-failure.js';
import type { Outbound } from '#outbound/outbound.js';

/** The name of this service in robots.txt. */
export const PRODUCT = 'signal-ledger';

// Its types declare a module with a default export; Node.js loads the function itself.
const robotsParser =
  typeof robotsParserModule === 'function' ? robotsParserModule : robotsParserModule.default;

/** The rules of a host. */
type Rules = {
  readonly isAllowed: (url: string) => boolean;
  /** The requested pause between two requests. */
  readonly paceMs: number;
};

const KEPT_MS = 86_400_000;
/** For rules that could not be read. */
const KEPT_SHORTLY_MS = 600_000;
const MAX_BYTES = 512 * 1024;
/** A pause of years would stop all polls, and an infinite pause would be an invalid time. */
const LONGEST_PACE_S = 86_400;
/** The time to compare rules with an address grows with both lengths. This limit takes 50 ms of the event loop. */
const MOST_COMPARED = 32 * 1024 * 1024;
/** A host can refer to any number of hosts. */
const MOST_KEPT_CHARACTERS = 32 * 1024 * 1024;

type Kept = {
  readonly rules: Rules;
  readonly untilMs: number;
  /** The length of the file. */
  readonly characters: number;
};

const ANYTHING: Rules = { isAllowed: () => true, paceMs: 0 };
const NOTHING: Rules = { isAllowed: () => false, paceMs: 0 };

const entryOf = (rules: Rules, characters = 0): Omit<Kept, 'untilMs'> => ({
  rules,
  characters: characters + 1,
});

/**
 * The robots.txt of hosts, cached for a day (RFC 9309). If there is none (4xx) everything is allowed; if it cannot be
 * read nothing is allowed, for ten minutes.
 */
export function robotsRules(
  outbound: Outbound,
  headers: Readonly<Record<string, string>>,
  nowMs: () => number,
): (url: string, signal: AbortSignal) => Promise<Rules> {
  const kept = new LRUCache<string, Kept>({
    maxSize: MOST_KEPT_CHARACTERS,
    sizeCalculation: ({ characters }) => characters,
  });

  async function read(origin: string, signal: AbortSignal): Promise<Omit<Kept, 'untilMs'>> {
    const url = `${origin}/robots.txt`;
    try {
      const request = { method: 'GET', url, headers, redirects: 5, maxBodyBytes: MAX_BYTES, signal } as const;
      const { status, body, discard } = await outbound.request(request);
      if (status < 200 || status >= 300) {
        discard();
        return entryOf(status >= 400 && status < 500 && status !== 429 ? ANYTHING : NOTHING);
      }
      const chunks: Uint8Array[] = [];
      for await (const chunk of body) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString('utf8');
      return entryOf(rulesIn(url, text), text.length);
    } catch (error) {
      if (!(error instanceof OutboundFailure)) throw error;
      return entryOf(NOTHING);
    }
  }

  return async (url, signal) => {
    const { origin } = new URL(url);
    const known = kept.get(origin);
    if (known !== undefined && known.untilMs > nowMs()) return known.rules;
    const { rules, characters } = await read(origin, signal);
    const untilMs = nowMs() + (rules === NOTHING ? KEPT_SHORTLY_MS : KEPT_MS);
    kept.set(origin, { rules, characters, untilMs });
    return rules;
  };
}

function rulesIn(url: string, text: string): Rules {
  const rules = robotsParser(url, text);
  return {
    isAllowed: (asked) =>
      text.length * asked.length <= MOST_COMPARED && rules.isAllowed(asked, PRODUCT) !== false,
    paceMs: Math.min(rules.getCrawlDelay(PRODUCT) ?? 0, LONGEST_PACE_S) * 1_000,
  };
}
