import { Type } from '#kernel/values/schema.js';
import { creditAccount } from '#domain/credits/credit-account.js';
import { grant } from '#domain/credits/post-credits.js';
import { CreditsInput, readPositiveCredits } from '../support/amounts.js';
import { WorkspaceId } from '../support/inputs.js';
import { chargesNothing } from '../support/charges-nothing.js';
import { operatorCommand } from '../support/operator-command.js';
import { PostingAnswer, postingAnswer, PostingKey, PostingReason } from '../support/posting-answer.js';

export const creditsGrant = operatorCommand({
  name: 'credits.grant',
  summary: 'Grant credits to a workspace; the same grant_key again changes nothing',
  input: Type.Object({
    workspace_id: WorkspaceId,
    credits: CreditsInput,
    reason: PostingReason,
    grant_key: Type.Optional(PostingKey),
  }),
  output: PostingAnswer,
  charge: chargesNothing,
  async run(host, { workspace_id: workspaceId, reason, grant_key: key, ...input }, context) {
    const credits = readPositiveCredits(input.credits);
    const movementId = await host.ids.next('movement');
    const wanted = { movementId, key, credits, reason };
    const handled = await host.commands.handle(creditAccount, String(workspaceId), grant(wanted), {
      context,
      answer: postingAnswer,
    });
    return handled.answer;
  },
});
