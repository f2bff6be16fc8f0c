import { Type } from '#kernel/values/schema.js';
import { decideCredits } from '#ledger/charging/decide-credits.js';
import { grant } from '#ledger/domain/post-credits.js';
import { CreditsInput, readPositiveCredits } from '#ops/support/amounts.js';
import { described, WorkspaceId } from '#ops/support/inputs.js';
import { chargesNothing } from '#ops/support/charges-nothing.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { requireOperatorsKey, spendingOrderInput, termsGiven } from './ledger-inputs.js';
import { Again, notedPostingAnswer, PostingAnswer, PostingKey, PostingReason } from './posting-answer.js';

export const creditsGrant = operatorCommand({
  name: 'credits.grant',
  summary: 'Grant credits to a workspace; a repeated grant_key changes nothing',
  input: Type.Object({
    workspace_id: WorkspaceId,
    credits: CreditsInput,
    reason: PostingReason,
    grant_key: Type.Optional(PostingKey),
    expires_at: Type.Optional(
      described('date or timestamp at which credits that are neither held nor spent expire', Type.String()),
    ),
    ...spendingOrderInput,
    again: Type.Optional(Again),
  }),
  output: PostingAnswer,
  charge: chargesNothing,
  async run(host, { workspace_id: workspaceId, reason, grant_key: key, again = false, ...input }, context) {
    const credits = readPositiveCredits(input.credits);
    requireOperatorsKey(key);
    const movementId = await host.ids.next('movement');
    const now = host.clock.now().toISOString();
    // A person at the command line may repeat a command by mistake, so a repetition is refused. A program gets a note
    // instead, and can use grant_key.
    const isChecked = host.isAlone && !again;
    const wanted = { movementId, key, credits, reason, ...(isChecked ? { notAgainAt: now } : {}) };
    const terms = termsGiven(input);
    const answer = notedPostingAnswer(wanted, 'grant', now);
    return decideCredits(host, workspaceId, grant(wanted, terms), context, answer);
  },
});
