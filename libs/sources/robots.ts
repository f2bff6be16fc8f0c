import { DAY_MS } from '#kernel/values/durations.js';
import { LRUCache } from 'lru-cache';
import robotsParserModule from 'robots-parser';
import { OutboundFailure } from '#outbound/outbound-failure.js';
import type { Outbound } from '#outbound/outbound.js';
import { askedPauseMs, OVERLOADED } from './asked-pause.js';

/** The name of this service in robots.txt. */
export const PRODUCT = 'signal-ledger';

// Its types declare a module with a default export; Node.js loads the function itself.
const robotsParser =
  typeof robotsParserModule === 'function' ? robotsParserModule : robotsParserModule.default;

/** The rules of a host. */
type Rules = {
  /** Why no request may be sent to this address; null: it may. */
  readonly objectionTo: (url: string) => string | null;
  /** The requested pause between two requests. */
  readonly paceMs: number;
  /** The host is overloaded, and asks for no request until then; 0 if not. */
  readonly notBeforeMs: number;
};

const KEPT_MS = DAY_MS;
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
type Entry = Omit<Kept, 'untilMs'> & { readonly keptMs: number };

const FORBIDDEN = 'robots.txt of its host does not allow it';
const TOO_LONG = 'robots.txt of its host is too long to be compared with the address';

const ANYTHING: Rules = { objectionTo: () => null, paceMs: 0, notBeforeMs: 0 };

const entryOf = (rules: Rules, characters = 0): Entry => ({
  rules,
  characters: characters + 1,
  keptMs: KEPT_MS,
});

/** `pauseMs`: the pause that the host asks for; 0 if none. */
function unread(why: string, nowMs = 0, pauseMs = 0): Entry {
  const objection = `robots.txt of its host cannot be read: ${why}`;
  const notBeforeMs = pauseMs === 0 ? 0 : nowMs + pauseMs;
  const rules = { objectionTo: () => objection, paceMs: 0, notBeforeMs };
  return { ...entryOf(rules), keptMs: pauseMs === 0 ? KEPT_SHORTLY_MS : pauseMs };
}

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

  async function read(origin: string, signal: AbortSignal): Promise<Entry> {
    const url = `${origin}/robots.txt`;
    try {
      const request = { method: 'GET', url, headers, redirects: 5, maxBodyBytes: MAX_BYTES, signal } as const;
      const { status, headers: answered, body, discard } = await outbound.request(request);
      if (status < 200 || status >= 300) {
        discard();
        const isAbsent = status >= 400 && status < 500 && status !== 429;
        if (isAbsent) return entryOf(ANYTHING);
        const pauseMs = OVERLOADED.has(status) ? askedPauseMs(answered['retry-after'], nowMs()) : 0;
        return unread(`answered ${status}`, nowMs(), pauseMs);
      }
      const chunks: Uint8Array[] = [];
      for await (const chunk of body) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString('utf8');
      return entryOf(rulesIn(url, text), text.length);
    } catch (error) {
      if (!(error instanceof OutboundFailure)) throw error;
      return unread(error.message);
    }
  }

  return async (url, signal) => {
    const { origin } = new URL(url);
    const known = kept.get(origin);
    if (known !== undefined && known.untilMs > nowMs()) return known.rules;
    const { rules, characters, keptMs } = await read(origin, signal);
    kept.set(origin, { rules, characters, untilMs: nowMs() + keptMs });
    return rules;
  };
}

function rulesIn(url: string, text: string): Rules {
  const rules = robotsParser(url, text);
  return {
    objectionTo(asked) {
      if (text.length * asked.length > MOST_COMPARED) return TOO_LONG;
      return rules.isAllowed(asked, PRODUCT) === false ? FORBIDDEN : null;
    },
    paceMs: Math.min(rules.getCrawlDelay(PRODUCT) ?? 0, LONGEST_PACE_S) * 1_000,
    notBeforeMs: 0,
  };
}
