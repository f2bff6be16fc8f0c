import { Type } from '#kernel/values/schema.js';
import { holdAnd } from '#ledger/charging/charges.js';
import { operatorCharge } from '#ledger/charging/operator.owner.js';
import { balanceOf } from '#ledger/answers/balance.answer.js';
import { CreditsInput, readPositiveCredits } from '#ops/support/amounts.js';
import { described, WorkspaceId } from '#ops/support/inputs.js';
import { ChargeKey, MovementAnswer } from './movement-answer.js';
import { operatorCommand } from '#ops/support/operator-command.js';

export const creditsHold = operatorCommand({
  name: 'credits.hold',
  summary: 'Reserve credits for work outside of the service; a key always names the same movement',
  input: Type.Object({
    workspace_id: WorkspaceId,
    key: ChargeKey,
    credits: CreditsInput,
    product: described(
      'product, as in the usage of the workspace',
      Type.String({ minLength: 1, maxLength: 100 }),
    ),
  }),
  output: MovementAnswer,
  charge: ({ credits }) => readPositiveCredits(credits),
  async run(host, { workspace_id: workspaceId, key, product, ...input }, context) {
    const credits = readPositiveCredits(input.credits);
    const work = {
      workspaceId,
      context: () => context,
      waitForReadModels: true,
    };
    const wanted = [operatorCharge({ key, credits, product })];
    return holdAnd(host, work, 'hold', wanted, 'all', ([outcome], account) => {
      if (outcome === undefined) throw new Error(`nothing became of the hold ${key}`);
      const { movementId, status, replayed } = outcome;
      return { movement_id: movementId, status, replayed, balance: balanceOf(account.books) };
    });
  },
});
