import { Type } from '#kernel/values/schema.js';
import { movementUnknown } from '#ledger/domain/credit-account.js';
import { MovementDetailAnswer } from '#ledger/answers/movement.answer.js';
import { movementEntries, OperatorEntryAnswer } from '#ledger/answers/entry.answer.js';
import { movementTrail } from '#ledger/answers/movement-trail.js';
import { MovementId, WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';

export const ledgerMovement = operatorCommand({
  name: 'ledger.movement',
  forFinance: true,
  summary: 'Show why a movement was made: its cause, the objects that its ids name, and its ledger entries',
  input: Type.Object({ workspace_id: WorkspaceId, movement_id: MovementId }),
  output: Type.Object({
    ...MovementDetailAnswer.properties,
    entries: Type.Array(OperatorEntryAnswer),
  }),
  async run(host, { workspace_id: workspaceId, movement_id: movementId }) {
    const trail = await movementTrail(host.readModels, host.chargeOrigins, workspaceId, movementId);
    if (trail === null) throw movementUnknown();
    const entries = await movementEntries(host.ledgers, workspaceId, trail.revisions);
    return { ...trail.movement, entries };
  },
});
