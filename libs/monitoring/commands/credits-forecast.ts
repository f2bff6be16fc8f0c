import { Type } from '#kernel/values/schema.js';
import { ForecastAnswer, forecastView } from '#ledger/answers/forecast.answer.js';
import { foreseeCredits } from '#ledger/forecast/foresee-credits.js';
import { monthsDue } from '#monitoring/months-due.js';
import { WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';

export const creditsForecast = operatorCommand({
  name: 'credits.forecast',
  forFinance: true,
  summary: 'Forecast the balance of a workspace for 90 days: use, due payments, grants and expiries',
  input: Type.Object({ workspace_id: WorkspaceId }),
  output: ForecastAnswer,
  async run(host, { workspace_id: workspaceId }) {
    await host.requireWorkspace(workspaceId);
    return forecastView(await foreseeCredits(host, monthsDue, workspaceId));
  },
});
