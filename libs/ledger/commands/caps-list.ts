import { Type } from '#kernel/values/schema.js';
import { CapAnswer } from '#ledger/answers/cap.answer.js';
import { capsOf } from '#ledger/charging/change-caps.js';
import { WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';

export const capsList = operatorCommand({
  name: 'caps.list',
  forFinance: true,
  summary: 'List the caps on the spending of a workspace, with the amount spent under each',
  input: Type.Object({ workspace_id: WorkspaceId }),
  output: Type.Object({ caps: Type.Array(CapAnswer) }),
  async run(host, { workspace_id: workspaceId }) {
    await host.requireWorkspace(workspaceId);
    return { caps: [...(await capsOf(host, workspaceId))] };
  },
});
