import { Type } from '#kernel/values/schema.js';
import { decideCredits } from '#ledger/charging/decide-credits.js';
import { withdraw } from '#ledger/domain/post-credits.js';
import { CreditsInput, readPositiveCredits } from '#ops/support/amounts.js';
import { WorkspaceId } from '#ops/support/inputs.js';
import { chargesNothing } from '#ops/support/charges-nothing.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { requireOperatorsKey, TakenLot } from './ledger-inputs.js';
import { Again, notedPostingAnswer, PostingAnswer, PostingKey, PostingReason } from './posting-answer.js';

export const creditsWithdraw = operatorCommand({
  name: 'credits.withdraw',
  summary: 'Take back credits that are neither held nor spent; a repeated grant_key changes nothing',
  input: Type.Object({
    workspace_id: WorkspaceId,
    credits: CreditsInput,
    reason: PostingReason,
    grant_key: Type.Optional(PostingKey),
    lot: Type.Optional(TakenLot),
    again: Type.Optional(Again),
  }),
  output: PostingAnswer,
  charge: chargesNothing,
  async run(
    host,
    { workspace_id: workspaceId, reason, grant_key: key, lot, again = false, ...input },
    context,
  ) {
    const credits = readPositiveCredits(input.credits);
    requireOperatorsKey(key);
    const movementId = await host.ids.next('movement');
    const now = host.clock.now().toISOString();
    // A person at the command line may repeat a command by mistake, so a repetition is refused. A program gets a note
    // instead, and can use grant_key.
    const isChecked = host.isAlone && !again;
    const wanted = { movementId, key, credits, reason, lot, ...(isChecked ? { notAgainAt: now } : {}) };
    const answer = notedPostingAnswer(wanted, 'withdrawal', now);
    return decideCredits(host, workspaceId, withdraw(wanted), context, answer);
  },
});
