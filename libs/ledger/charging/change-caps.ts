import type { CommandContext, Prepared } from '#kernel/commands/decider.js';
import { capViews, type CapAnswer } from '#ledger/answers/cap.answer.js';
import type { CapScope, creditEvents } from '#ledger/domain/credits.events.js';
import type { CreditAccount } from '#ledger/domain/account-state.js';
import { SHOWN_SCOPES } from '#ledger/domain/caps.js';
import { creditAccount, type CreditDecision } from '#ledger/domain/credit-account.js';
import { unknownCap } from '#ledger/domain/set-caps.js';
import type { ProcessHost } from '#process-engine/process.js';

type Host = Pick<ProcessHost, 'commands' | 'clock'>;

/** The scope with this public name. */
export function scopeNamed(shown: CapAnswer['scope']): CapScope {
  switch (shown) {
    case 'workspace':
      return 'workspace';
    case SHOWN_SCOPES.setup:
      return 'setup';
    case SHOWN_SCOPES.agent:
      return 'agent';
    case SHOWN_SCOPES.key:
      return 'key';
  }
}

/** Decides a change of the caps of a workspace and returns the cap with this id after the change. */
export async function changeCaps(
  { commands, clock }: Host,
  workspaceId: number,
  capId: number,
  decision: CreditDecision | Prepared<CreditAccount, typeof creditEvents>,
  context: CommandContext,
): Promise<CapAnswer> {
  const { answer } = await commands.handle(creditAccount, String(workspaceId), decision, {
    context,
    answer: (account) => capViews(account, clock.now().toISOString()).find(({ id }) => id === capId) ?? null,
  });
  if (answer === null) throw unknownCap();
  return answer;
}

/** The current caps of a workspace. */
export const capsOf = ({ commands, clock }: Host, workspaceId: number): Promise<readonly CapAnswer[]> =>
  commands.load(creditAccount, String(workspaceId), (account) =>
    capViews(account, clock.now().toISOString()),
  );
