import { toJsonNumber } from '#kernel/values/credits.js';
import { Nullable, Timestamp, Type } from '#kernel/values/schema.js';
import { pricesToCharge } from '#catalogue/workspace-prices.js';
import { available } from '#ledger/domain/books.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { monthFrom } from '#monitoring/domain/months-facts.js';
import { forecastMonths } from '#monitoring/forecast.js';
import { monitoredUnits } from '#projections/monitoring/monitored-units/monitored-units.projection.js';
import { requireWorkspace, workspace } from '#access/domain/workspaces/workspace.js';
import { described, WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';

const DEFAULT_MONTHS = 3;

export const monitoringForecast = operatorCommand({
  name: 'monitoring.forecast',
  forFinance: true,
  summary: "What monitoring is going to cost day by day at today's price, and when the balance runs out",
  input: Type.Object({
    workspace_id: WorkspaceId,
    months: Type.Optional(
      described('months to foresee, 3 when absent', Type.Integer({ minimum: 1, maximum: 24 })),
    ),
  }),
  output: Type.Object({
    days: Type.Array(
      Type.Object({ date: Type.String(), credits_due: Type.Number(), balance_after: Type.Number() }),
    ),
    runs_out_at: Nullable(Timestamp),
  }),
  async run(host, { workspace_id: workspaceId, months = DEFAULT_MONTHS }) {
    await host.commands.load(workspace, String(workspaceId), requireWorkspace);
    const { billing, chargeOf } = await pricesToCharge(host.commands, host.readModels, workspaceId);
    const price = billing.mode === 'exempt' ? 0n : (chargeOf('bucket:essential')?.credits ?? 0n);
    const balance = await host.commands.load(creditAccount, String(workspaceId), ({ books }) =>
      available(books),
    );
    const wanted = await host.readModels.find(monitoredUnits, {
      where: { workspaceId, status: { in: ['monitored', 'not_covered'] } },
    });
    const now = host.clock.now().toISOString();
    let last = monthFrom(now);
    for (let count = 1; count < months; count += 1) last = monthFrom(last.until, last.anchorDay);
    const { days, runsOutAt } = forecastMonths({
      units: wanted.flatMap(({ lapsesAt, coveredUntil, anchorDay, rests }) =>
        lapsesAt === null || rests === true
          ? []
          : [{ lapsesAt, anchorDay: coveredUntil === lapsesAt ? anchorDay : null }],
      ),
      price,
      balance: billing.mode === 'self' ? balance : null,
      now,
      until: last.until,
    });
    return {
      days: days.map(({ date, creditsDue, balanceAfter }) => ({
        date,
        credits_due: toJsonNumber(creditsDue),
        balance_after: toJsonNumber(billing.mode === 'self' ? balanceAfter : balance),
      })),
      runs_out_at: runsOutAt,
    };
  },
});
