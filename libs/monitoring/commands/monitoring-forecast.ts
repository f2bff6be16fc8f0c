import { toJsonNumber, type Credits } from '#kernel/values/credits.js';
import { Nullable, Timestamp, Type } from '#kernel/values/schema.js';
import { forecastBalance } from '#ledger/forecast/forecast.js';
import { ledgerOutlook } from '#ledger/forecast/foresee-credits.js';
import { monthsDue } from '#monitoring/months-due.js';
import { calendarMonthOf, monthFrom } from '#monitoring/domain/months-facts.js';
import { described, WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';

const DEFAULT_MONTHS = 3;

export const monitoringForecast = operatorCommand({
  name: 'monitoring.forecast',
  forFinance: true,
  summary: "Forecast the cost of monitoring by day at today's price, and the day on which the balance ends",
  input: Type.Object({
    workspace_id: WorkspaceId,
    months: Type.Optional(
      described('number of months; default: 3', Type.Integer({ minimum: 1, maximum: 24 })),
    ),
  }),
  output: Type.Object({
    days: Type.Array(
      Type.Object({ date: Type.String(), credits_due: Type.Number(), balance_after: Type.Number() }),
    ),
    /** The same by calendar month in which something falls due, with the balance after its last day in the forecast. */
    months: Type.Array(
      Type.Object({ month: Type.String(), credits_due: Type.Number(), balance_after: Type.Number() }),
    ),
    runs_out_at: Nullable(Timestamp),
  }),
  async run(host, { workspace_id: workspaceId, months = DEFAULT_MONTHS }) {
    await host.requireWorkspace(workspaceId);
    const now = host.clock.now().toISOString();
    let last = monthFrom(now);
    for (let count = 1; count < months; count += 1) last = monthFrom(last.until, last.anchorDay);
    const until = last.until;
    const outlook = await ledgerOutlook(host.commands, workspaceId, now, until);
    const due = await monthsDue(host, workspaceId, now, until);
    const { days, uncoveredAt } = forecastBalance({ ...outlook, burn: 0n, due, now, until });
    return {
      days: days
        .filter((day) => day.due > 0n)
        .map((day) => ({
          date: day.date,
          credits_due: toJsonNumber(day.due),
          balance_after: toJsonNumber(day.balance),
        })),
      months: byMonth(days),
      runs_out_at: uncoveredAt,
    };
  },
});

type ForecastDay = { readonly date: string; readonly due: Credits; readonly balance: Credits };

/** All days count for the balance: it also changes on days on which nothing falls due. */
function byMonth(days: readonly ForecastDay[]) {
  const months = new Map<string, { readonly due: Credits; readonly balance: Credits }>();
  for (const { date, due, balance } of days) {
    const month = calendarMonthOf(date);
    months.set(month, { due: (months.get(month)?.due ?? 0n) + due, balance });
  }
  return [...months]
    .filter(([, { due }]) => due > 0n)
    .map(([month, { due, balance }]) => ({
      month,
      credits_due: toJsonNumber(due),
      balance_after: toJsonNumber(balance),
    }));
}
