import type { Commands } from '#kernel/commands/commands.js';
import type { CommandContext, DecisionAnswer } from '#kernel/commands/decider.js';
import type { CreditAccount } from '#ledger/domain/account-state.js';
import { creditAccount, type CreditDecision } from '#ledger/domain/credit-account.js';
import type { creditEvents } from '#ledger/domain/credits.events.js';

/** Decides on the ledger of a workspace, and returns the answer once the read models show the decision. */
export async function decideCredits<Answer>(
  { commands }: { readonly commands: Pick<Commands, 'handle'> },
  workspaceId: number,
  decision: CreditDecision,
  context: CommandContext,
  answer: DecisionAnswer<CreditAccount, typeof creditEvents, Answer>,
): Promise<Answer> {
  const handled = await commands.handle<CreditAccount, typeof creditEvents, Answer>(
    creditAccount,
    String(workspaceId),
    decision,
    { context, answer },
  );
  return handled.answer;
}
