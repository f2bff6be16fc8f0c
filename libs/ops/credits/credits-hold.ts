import { Type } from '#kernel/values/schema.js';
import { balanceOf } from '#domain/credits/books.js';
import { creditAccount } from '#domain/credits/credit-account.js';
import { hold, holdOutcomes, type Hold } from '#domain/credits/hold-credits.js';
import { CreditsInput, readPositiveCredits } from '../support/amounts.js';
import { described, WorkspaceId } from '../support/inputs.js';
import { ChargeKey, MovementAnswer } from '../support/movement-answer.js';
import { operatorCommand } from '../support/operator-command.js';

export const creditsHold = operatorCommand({
  name: 'credits.hold',
  summary: 'Reserve credits for work that is done elsewhere; one movement a key, for ever',
  input: Type.Object({
    workspace_id: WorkspaceId,
    key: ChargeKey,
    credits: CreditsInput,
    product: described('what is charged, as usage names it', Type.String({ minLength: 1, maxLength: 100 })),
  }),
  output: MovementAnswer,
  async run(host, { workspace_id: workspaceId, key, product, ...input }, context) {
    const credits = readPositiveCredits(input.credits);
    const movementId = await host.ids.next('movement');
    const wanted: Hold = { movementId, key, credits, product, cause: { kind: 'operator' } };
    const handled = await host.commands.handle(creditAccount, String(workspaceId), hold(wanted), {
      context: { ...context, workspaceId },
      answer: (account) => {
        const [outcome] = holdOutcomes(account, [wanted]);
        if (outcome === undefined) throw new Error(`nothing became of the hold ${key}`);
        const { status, replayed } = outcome;
        return { movement_id: outcome.movementId, status, replayed, balance: balanceOf(account.books) };
      },
    });
    return handled.answer;
  },
});
