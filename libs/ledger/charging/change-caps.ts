import type { CommandContext, Prepared } from '#kernel/commands/decider.js';
import { capViews, type CapAnswer } from '#ledger/answers/cap.answer.js';
import type { CapScope, creditEvents } from '#ledger/domain/credits.events.js';
import type { CreditAccount } from '#ledger/domain/account-state.js';
import { SHOWN_SCOPES } from '#ledger/domain/caps.js';
import { creditAccount, type CreditDecision } from '#ledger/domain/credit-account.js';
import { unknownCap, type EarlierSpending, type WantedCap } from '#ledger/domain/set-caps.js';
import { decideOnceRead } from '#ledger/history/decide-once-read.js';
import type { LedgerReader } from '#ledger/history/ledger-reader.js';
import { earlierSpendingReader } from '#ledger/history/spent-earlier.js';
import type { ProcessHost } from '#process-engine/process.js';

type Host = Pick<ProcessHost, 'commands' | 'clock'>;
type WritingHost = Host & { readonly ledgers: LedgerReader };
type CapDecision = CreditDecision | Prepared<CreditAccount, typeof creditEvents>;

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

/**
 * Decides to set this cap and returns it as it is after the change. What it counts from its start is read from the
 * ledger when the decision asks for it.
 */
export async function changeCaps(
  { commands, clock, ledgers }: WritingHost,
  workspaceId: number,
  wanted: WantedCap,
  decide: (earlier: EarlierSpending | null) => CapDecision,
  context: CommandContext,
): Promise<CapAnswer> {
  const readEarlier = earlierSpendingReader({ ledgers, clock }, workspaceId, wanted);
  const set = async (earlier: EarlierSpending | null): Promise<CapAnswer> => {
    const { answer } = await commands.handle(creditAccount, String(workspaceId), decide(earlier), {
      context,
      answer: (account) =>
        capViews(account, clock.now().toISOString()).find(({ id }) => id === wanted.capId) ?? null,
    });
    if (answer === null) throw unknownCap();
    return answer;
  };
  return decideOnceRead(null, set, readEarlier);
}

/** The current caps of a workspace. */
export const capsOf = ({ commands, clock }: Host, workspaceId: number): Promise<readonly CapAnswer[]> =>
  commands.load(creditAccount, String(workspaceId), (account) =>
    capViews(account, clock.now().toISOString()),
  );
