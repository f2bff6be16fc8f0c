import { balanceOf } from '#ledger/answers/balance.answer.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { release, movementOf } from '#ledger/domain/settle-credits.js';
import { MovementAnswer, MovementInput, readMovement } from './movement-answer.js';
import { chargesNothing } from '#ops/support/charges-nothing.js';
import { operatorCommand } from '#ops/support/operator-command.js';

export const creditsRelease = operatorCommand({
  name: 'credits.release',
  summary: 'Give a hold back, by its movement or its key',
  input: MovementInput,
  output: MovementAnswer,
  charge: chargesNothing,
  async run(host, { workspace_id: workspaceId, ...input }, context) {
    const movement = readMovement(input);
    const handled = await host.commands.handle(creditAccount, String(workspaceId), release(movement), {
      context,
      answer: (account, events) => {
        const { movementId, status } = movementOf(account, movement);
        const replayed = events.length === 0;
        return { movement_id: movementId, status, replayed, balance: balanceOf(account.books) };
      },
    });
    return handled.answer;
  },
});
