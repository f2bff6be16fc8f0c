import { Type } from '#kernel/values/schema.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { PLAIN_TERMS } from '#ledger/domain/lots.js';
import { grant } from '#ledger/domain/post-credits.js';
import { CreditsInput, readPositiveCredits } from '#ops/support/amounts.js';
import { described, WorkspaceId } from '#ops/support/inputs.js';
import { readInstant } from '#ops/support/read-instant.js';
import { chargesNothing } from '#ops/support/charges-nothing.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { requireOperatorsKey } from './ledger-inputs.js';
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
    priority: Type.Optional(
      described('0 to 100, lower is spent first; default: 50', Type.Integer({ minimum: 0, maximum: 100 })),
    ),
    promotional: Type.Optional(described('not paid for: spent before paid credits', Type.Boolean())),
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
    const terms = {
      expiresAt: input.expires_at === undefined ? null : readInstant(input.expires_at, 'expires_at'),
      priority: input.priority ?? PLAIN_TERMS.priority,
      promotional: input.promotional ?? PLAIN_TERMS.promotional,
    };
    const decision = grant(wanted, terms);
    const handled = await host.commands.handle(creditAccount, String(workspaceId), decision, {
      context,
      answer: notedPostingAnswer(wanted, 'grant', now),
    });
    return handled.answer;
  },
});
