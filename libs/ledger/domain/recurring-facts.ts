import type { Immutable } from '#kernel/events/event.js';
import { monthsAfter } from '#kernel/values/calendar-months.js';
import { DAY_MS } from '#kernel/values/durations.js';
import type { CreditPayloads } from './credits.events.js';

type Added = Immutable<CreditPayloads['RecurringGrantAdded']>;

/** When a recurring grant is due, and how long each of its lots can be spent. */
export type Recurrence = Pick<Added, 'every' | 'from' | 'until' | 'lifetime'>;

const DAYS = { day: 1, week: 7 } as const;

/**
 * When the grant number `index` (the first is 0) is due; null if the rule ends before. Months are counted from the
 * first day, so that a short month does not shift later ones.
 */
export function dueAt({ every, from, until }: Recurrence, index: number): string | null {
  const due = every === 'month' ? monthsAfter(from, index) : daysAfter(from, index * DAYS[every]);
  return until === undefined || due < until ? due : null;
}

/** The expiry of a grant that was due at a time; null if it never expires. */
export function expiryOfDue({ lifetime }: Recurrence, due: string): string | null {
  if (lifetime === undefined) return null;
  const { unit, count } = lifetime;
  return unit === 'month' ? monthsAfter(due, count) : daysAfter(due, count);
}

/** The number of grants due by a time after the first `passed`, at most `most`. */
export function countDue(recurrence: Recurrence, passed: number, at: string, most: number): number {
  let count = 0;
  while (count < most && (dueAt(recurrence, passed + count) ?? NEVER) <= at) count += 1;
  return count;
}

/** Sorts after every timestamp. */
const NEVER = '~';

const daysAfter = (at: string, days: number): string =>
  new Date(Date.parse(at) + days * DAY_MS).toISOString();
