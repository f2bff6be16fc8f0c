import { monthAfter } from '#kernel/values/calendar-months.js';
import { note } from '#kernel/values/faults.js';
import { MONTH } from '#kernel/values/schema.js';
import { formField, textQuery, type QueryParameter } from '#http/parameters.js';
import { invalidRequest, type RequestRefused } from '#http/problem.js';

const CALENDAR_MONTH = new RegExp(MONTH);
const LONGEST_TIME = 40;
const SHOWN_TIME = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(:\d\d)?$/;

/** The month of a moment, in UTC: `2026-01`. */
export const monthOf = (moment: Date): string => moment.toISOString().slice(0, 7);

const month = textQuery({ maximum: 7, invalid: 422 });

/** A month as a field of a form sends it; null when absent or empty. */
export const MONTH_FIELD: QueryParameter<string | null> = formField({
  ...month,
  read: (name, raw, faults) => {
    const text = month.read(name, raw, faults);
    if (text !== null && !CALENDAR_MONTH.test(text)) note(faults, name, 'must be a month, as 2026-01');
    return text;
  },
});

const time = textQuery({ maximum: LONGEST_TIME, invalid: 422 });

/** A time or one end of a period, in UTC, also as pages show it: `2026-01-05 09:30:00`. Null when absent or empty. */
export const TIME_FIELD: QueryParameter<string | null> = formField({
  ...time,
  read: (name, raw, faults) => {
    const text = time.read(name, raw, faults)?.trim() ?? null;
    const [, day, minutes, seconds = ':00'] = SHOWN_TIME.exec(text ?? '') ?? [];
    return day === undefined ? text : `${day}T${minutes}${seconds}Z`;
  },
});

/** `to` is absent if it would be after the last year of a time: the period then has no end. */
type MonthPeriod = { readonly from: string; readonly to?: string };
type Period = Required<MonthPeriod>;

/** The period between two times; null if none is given; the refusal (422) if one of them is missing. */
export function periodGiven(from: string | null, to: string | null): Period | RequestRefused | null {
  if (from === null && to === null) return null;
  if (from !== null && to !== null) return { from, to };
  const missing = from === null ? 'from' : 'to';
  return invalidRequest('query', 422, new Map([[missing, ['is needed with the other end of the period']]]));
}

/** The first and last day boundaries of a month: from inclusive, to exclusive. */
export function periodOf(month: string): MonthPeriod {
  const next = monthAfter(month, 1);
  return { from: `${month}-01`, ...(next !== null && { to: `${next}-01` }) };
}
