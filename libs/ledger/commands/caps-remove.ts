import { Type } from '#kernel/values/schema.js';
import { CapAnswer } from '#ledger/answers/cap.answer.js';
import { decideCredits } from '#ledger/charging/decide-credits.js';
import { removeCap } from '#ledger/domain/set-caps.js';
import { described, WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';

const { id: CapId } = CapAnswer.properties;

export const capsRemove = operatorCommand({
  name: 'caps.remove',
  summary: 'Remove a cap on the spending of a workspace, also one that the workspace set',
  input: Type.Object({ workspace_id: WorkspaceId, cap_id: described('id of the cap', CapId) }),
  output: Type.Object({ removed: CapId }),
  async run(host, { workspace_id: workspaceId, cap_id: capId }, context) {
    const answer = () => ({ removed: capId });
    return decideCredits(host, workspaceId, removeCap(capId, 'operator'), context, answer);
  },
});
