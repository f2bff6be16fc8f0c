import { provision, workspace } from '#access/domain/workspaces/workspace.js';
import { monitoringVerify } from '#monitoring/commands/monitoring-verify.js';
import { runCommand } from '#ops/support/run-command.js';
import { sharedHouse } from '#test/support/signal-house.js';
import { testCall } from '#test/support/test-call.js';

describe('monitoring.verify', () => {
  const house = sharedHouse();

  it('OPS-23 compares nothing while the read models are behind the events', async () => {
    const workspaceId = await house.workspace({ mode: 'self' }, 1);
    const decision = provision({
      name: 'Workspace',
      topAccountListId: 1,
      employeeListId: 2,
      accountMapping: false,
      trialQuota: null,
    });
    await house.decide(workspaceId, workspace, String(workspaceId), decision);
    const asked = { workspace_id: workspaceId };
    expect(await runCommand(house.operator, monitoringVerify, asked, testCall)).toMatchObject({ ok: true });
    const behind = { ...house.operator, progress: { reached: () => Promise.resolve(false) } };
    await expect(runCommand(behind, monitoringVerify, asked, testCall)).rejects.toThrow(
      'the read models do not show the newest events yet, so nothing was compared: try again',
    );
  });
});
