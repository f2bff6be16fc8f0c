import { toJsonNumber } from '#kernel/values/credits.js';
import type { Immutable } from '#kernel/events/event.js';
import { Day, Nullable, Timestamp, Type, type Static } from '#kernel/values/schema.js';
import type { Foreseen } from '#ledger/forecast/foresee-credits.js';
import { Amount } from '#kernel/values/amounts.js';

/** The forecast of a balance. */
export const ForecastAnswer = Type.Object(
  {
    at: Timestamp,
    balance: Amount,
    burn: Amount,
    ends_on: Nullable(Day),
    days: Type.Array(
      Type.Object(
        { date: Day, used: Amount, months: Amount, granted: Amount, expires: Amount, balance: Amount },
        { title: 'CreditForecastDay' },
      ),
    ),
  },
  { title: 'CreditForecast' },
);
export type ForecastView = Immutable<Static<typeof ForecastAnswer>>;

export const forecastView = ({ now, balance, burn, endsOn, days }: Foreseen): ForecastView => ({
  at: now,
  balance: toJsonNumber(balance),
  burn: toJsonNumber(burn),
  ends_on: endsOn,
  days: days.map((day) => ({
    date: day.date,
    used: toJsonNumber(day.used),
    months: toJsonNumber(day.due),
    granted: toJsonNumber(day.granted),
    expires: toJsonNumber(day.expires),
    balance: toJsonNumber(day.balance),
  })),
});
