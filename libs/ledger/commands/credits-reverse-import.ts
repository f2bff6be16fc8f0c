import { Amount } from '#kernel/values/amounts.js';
import { fromStored, toJsonNumber } from '#kernel/values/credits.js';
import { Id, Type } from '#kernel/values/schema.js';
import { BalanceAnswer, balanceOf } from '#ledger/answers/balance.answer.js';
import { decideCredits } from '#ledger/charging/decide-credits.js';
import type { LedgerEntry } from '#ledger/domain/credits.events.js';
import { openingUsed, reverseOpening } from '#ledger/domain/import-opening.js';
import { decideAfterReading } from '#ledger/history/read-adjustments.js';
import { chargesNothing } from '#ops/support/charges-nothing.js';
import { WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { PostingReason } from './posting-answer.js';

function refuseTaken({ data }: LedgerEntry<'CreditsAdjusted'>): void {
  if (fromStored(data.credits) < 0n) throw openingUsed();
}

export const creditsReverseImport = operatorCommand({
  name: 'credits.reverse_import',
  summary: 'Take back a whole imported opening, as long as none of it is held or spent',
  input: Type.Object({ workspace_id: WorkspaceId, reason: PostingReason }),
  output: Type.Object({
    movement_id: Id,
    credits: Amount,
    revision: Type.Integer({ minimum: 0 }),
    balance: BalanceAnswer,
  }),
  charge: chargesNothing,
  async run(host, { workspace_id: workspaceId, reason }, context) {
    const movementId = await host.ids.next('movement');
    return decideAfterReading(host, workspaceId, refuseTaken, (readUpTo) => {
      const decision = reverseOpening(movementId, reason, readUpTo);
      return decideCredits(host, workspaceId, decision, context, ({ books, postings, memory }) => ({
        movement_id: movementId,
        credits: toJsonNumber(postings.byMovement.get(movementId)?.credits ?? 0n),
        revision: Number(memory.revision),
        balance: balanceOf(books),
      }));
    });
  },
});
