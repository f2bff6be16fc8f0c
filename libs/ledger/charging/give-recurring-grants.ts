import type { Commands } from '#kernel/commands/commands.js';
import type { CommandContext } from '#kernel/commands/decider.js';
import type { Ids } from '#kernel/commands/ids.js';
import type { Clock } from '#kernel/ports/clock.js';
import { decisionTime } from '#ledger/domain/books.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { countDue } from '#ledger/domain/recurring-facts.js';
import { giveDue } from '#ledger/domain/recurring-grants.js';

type GivingHost = {
  readonly commands: Pick<Commands, 'handle' | 'load'>;
  readonly ids: Ids;
  readonly clock: Clock;
};

/** The maximum number of grants in one command. */
const AT_ONCE = 100;

/**
 * Makes the due grants of a recurring grant, oldest first, at most `AT_ONCE`. Returns true if more are due.
 * Idempotent, because the ledger counts the grants that were made.
 */
export async function giveRecurring(
  { commands, ids, clock }: GivingHost,
  workspaceId: number,
  ruleId: number,
  context: (step: string) => CommandContext,
): Promise<boolean> {
  const stream = String(workspaceId);
  const now = clock.now().toISOString();
  const { due, passed } = await commands.load(creditAccount, stream, ({ recurring: { open }, books }) => {
    const rule = open.get(ruleId);
    return rule === undefined
      ? { due: 0, passed: 0 }
      : { due: countDue(rule, rule.passed, decisionTime(books, now), AT_ONCE), passed: rule.passed };
  });
  if (due === 0) return false;
  const movementIds = await ids.nextMany('movement', due);
  await commands.handle(creditAccount, stream, giveDue(ruleId, movementIds), {
    context: context(String(passed)),
  });
  return due === AT_ONCE;
}
