import { requireReached } from '#kernel/ports/progress.port.js';
import { Nullable, Type } from '#kernel/values/schema.js';
import { verifyMonitoring } from '#monitoring/verify-monitoring.js';
import { WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';

const CATCH_UP_MS = 10_000;

export const monitoringVerify = operatorCommand({
  name: 'monitoring.verify',
  forFinance: true,
  summary:
    'Recompute from events which accounts are monitored, covered and paid, and list every difference to the read models',
  input: Type.Object({ workspace_id: WorkspaceId }),
  output: Type.Object({
    ok: Type.Boolean(),
    units: Type.Integer({ minimum: 0 }),
    differences: Type.Array(
      Type.Object({
        what: Type.String(),
        expected: Nullable(Type.String()),
        found: Nullable(Type.String()),
      }),
    ),
  }),
  async run(host, { workspace_id: workspaceId }) {
    await host.requireWorkspace(workspaceId);
    const position = await host.eventStore.head();
    const types = ['MonitoringWanted', 'CreditsHeld', 'MonthsRefused'];
    const behind = 'the read models do not show the newest events yet, so nothing was compared: try again';
    // A late read model is no difference.
    await requireReached(host.progress, { position, types, workspaceId }, CATCH_UP_MS, behind);
    const { units, differences } = await verifyMonitoring(host, workspaceId);
    return { ok: differences.length === 0, units, differences };
  },
});
