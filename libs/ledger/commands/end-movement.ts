import { balanceOf } from '#ledger/answers/balance.answer.js';
import type { MovementReference } from '#ledger/domain/charges.js';
import { decideCredits } from '#ledger/charging/decide-credits.js';
import type { CreditDecision } from '#ledger/domain/credit-account.js';
import { movementOf } from '#ledger/domain/settle-credits.js';
import { chargesNothing } from '#ops/support/charges-nothing.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { MovementAnswer, MovementInput, readMovement } from './movement-answer.js';

/** An operator command that ends one movement by a decision of the ledger. */
export const endMovement = (
  name: string,
  summary: string,
  decision: (movement: MovementReference) => CreditDecision,
) =>
  operatorCommand({
    name,
    summary,
    input: MovementInput,
    output: MovementAnswer,
    charge: chargesNothing,
    async run(host, { workspace_id: workspaceId, ...input }, context) {
      const movement = readMovement(input);
      return decideCredits(host, workspaceId, decision(movement), context, (account, events) => {
        const { movementId, status } = movementOf(account, movement);
        const replayed = events.length === 0;
        return { movement_id: movementId, status, replayed, balance: balanceOf(account.books) };
      });
    },
  });
