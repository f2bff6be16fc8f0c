import type { Credits } from '#kernel/values/credits.js';
import { DAY_MS } from '#kernel/values/durations.js';
import { compareText, inSpendingOrder, type SpendableLot } from '#ledger/domain/lots.js';

/** A future grant: a lot of a recurring grant, reduced to the rest below its ceiling. */
export type ForeseenGrant = {
  readonly at: string;
  readonly credits: Credits;
  readonly lot: Omit<SpendableLot, 'free'>;
  readonly ceiling: Credits | null;
};

export type ForecastInput = {
  /** Available credits by lot, including credit without terms. */
  readonly lots: readonly SpendableLot[];
  /** Held credits of recurring grants, by rule: they count for a ceiling. */
  readonly heldOfRule?: readonly (readonly [rule: number, credits: Credits])[];
  /** Credits used in 24 hours. */
  readonly burn: Credits;
  /** Credits that fall due at a time. */
  readonly due: readonly { readonly at: string; readonly credits: Credits }[];
  readonly grants?: readonly ForeseenGrant[];
  /** False if no balance of the workspace pays: nothing is used, and nothing ends. */
  readonly isPaid: boolean;
  readonly now: string;
  /** Exclusive. */
  readonly until: string;
};

export type ForecastDay = {
  /** A day in UTC, `2026-02-28`. */
  readonly date: string;
  readonly used: Credits;
  readonly due: Credits;
  readonly granted: Credits;
  readonly expires: Credits;
  /** Available credits at the end of the day; negative by the missing amount. */
  readonly balance: Credits;
};

export type Forecast = {
  /** Every day from today on. */
  readonly days: readonly ForecastDay[];
  /** The first moment whose due credits the balance does not cover; null if it covers all. */
  readonly uncoveredAt: string | null;
  /**
   * The first day on which something is not covered, or at whose end less than one credit is left; null if there is
   * none.
   */
  readonly endsOn: string | null;
};

const ONE_CREDIT = 1_000_000n;

type Change =
  | { readonly at: string; readonly kind: 'expiry' }
  | { readonly at: string; readonly kind: 'grant'; readonly grant: ForeseenGrant }
  | { readonly at: string; readonly kind: 'due'; readonly credits: Credits };

/**
 * The balance of each day (UTC), if due credits are paid when they are due, credits are used at the recent rate, and
 * nothing else happens. Use is subtracted at the end of each day, for today in proportion to the remaining time.
 * Credits are spent in the order of LOT-05.
 */
export function forecastBalance(input: ForecastInput): Forecast {
  const { now, until, burn, isPaid } = input;
  const purse = purseOf(input.lots, new Map(input.heldOfRule));
  const changes = changesOf(input);
  const days: ForecastDay[] = [];
  let missing = 0n;
  let uncoveredAt: string | null = null;
  let endsOn: string | null = null;
  let next = 0;
  for (let start = now; start < until;) {
    const date = start.slice(0, 10);
    const midnight = new Date(Date.parse(`${date}T00:00:00.000Z`) + DAY_MS).toISOString();
    const end = midnight < until ? midnight : until;
    const day = { date, used: 0n, due: 0n, granted: 0n, expires: 0n };
    const before = missing;
    for (let change = changes[next]; change !== undefined && change.at < end; change = changes[next]) {
      next += 1;
      if (change.kind === 'expiry') day.expires += purse.expire(change.at);
      else if (change.kind === 'grant') day.granted += purse.add(change.grant);
      else {
        day.due += change.credits;
        if (!isPaid) continue;
        const short = change.credits - purse.take(change.credits);
        missing += short;
        if (short > 0n) uncoveredAt ??= change.at;
      }
    }
    if (isPaid) {
      day.used = (burn * BigInt(Date.parse(end) - Date.parse(start))) / BigInt(DAY_MS);
      missing += day.used - purse.take(day.used);
      if (missing > before || purse.free() < ONE_CREDIT) endsOn ??= date;
    }
    days.push({ ...day, balance: purse.free() - missing });
    start = end;
  }
  return { days, uncoveredAt, endsOn };
}

/** In the order of time. At one moment expired credits cannot pay, and granted credits can pay what is due. */
function changesOf({ lots, due, grants = [], now }: ForecastInput): readonly Change[] {
  const ends = [...lots, ...grants.map(({ lot }) => lot)].flatMap(({ expiresAt }) => expiresAt ?? []);
  const changes: Change[] = [
    ...[...new Set(ends)].map((at) => ({ at, kind: 'expiry' as const })),
    ...grants.map((grant) => ({ at: grant.at, kind: 'grant' as const, grant })),
    ...due.map(({ at, credits }) => ({ at: at < now ? now : at, kind: 'due' as const, credits })),
  ];
  // Changes of one moment stay in the order in which they are listed.
  return changes.sort((one, other) => compareText(one.at, other.at));
}

/** The lots of a forecast, spent in order. */
function purseOf(lots: readonly SpendableLot[], heldOfRule: ReadonlyMap<number, Credits>) {
  let rests = inSpendingOrder(lots).map((lot) => ({ ...lot }));
  const free = (): Credits => rests.reduce((sum, rest) => sum + rest.free, 0n);
  return {
    free,
    /** Takes up to an amount, and returns how much was taken. */
    take(amount: Credits): Credits {
      let open = amount;
      for (const rest of rests) {
        if (open <= 0n) break;
        const taken = rest.free < open ? rest.free : open;
        rest.free -= taken;
        open -= taken;
      }
      return amount - open;
    },
    expire(at: string): Credits {
      const over = rests.filter(({ expiresAt }) => expiresAt !== null && expiresAt <= at);
      rests = rests.filter((rest) => !over.includes(rest));
      return over.reduce((sum, rest) => sum + rest.free, 0n);
    },
    add({ credits, lot, ceiling }: ForeseenGrant): Credits {
      const { rule } = lot;
      const held = rule === undefined ? 0n : (heldOfRule.get(rule) ?? 0n);
      const inUse = rests.reduce((sum, rest) => (rest.rule === rule ? sum + rest.free : sum), held);
      const remaining = ceiling === null ? credits : ceiling - inUse;
      const granted = remaining < credits ? (remaining > 0n ? remaining : 0n) : credits;
      rests = inSpendingOrder([...rests, { ...lot, free: granted }]).map((each) => ({ ...each }));
      return granted;
    },
  };
}
