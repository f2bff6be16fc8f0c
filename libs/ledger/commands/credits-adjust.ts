import { fieldError } from '#kernel/values/refusal.js';
import type { Credits } from '#kernel/values/credits.js';
import { Id, Type } from '#kernel/values/schema.js';
import { decideCredits } from '#ledger/charging/decide-credits.js';
import { adjust } from '#ledger/domain/post-credits.js';
import { CreditsInput, invalidInput, readChange } from '#ops/support/amounts.js';
import { described, Reason, WorkspaceId } from '#ops/support/inputs.js';
import { chargesNothing } from '#ops/support/charges-nothing.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { spendingOrderInput, TakenLot, termsGiven } from './ledger-inputs.js';
import { PostingAnswer, postingAnswer, PostingKey, PostingReason } from './posting-answer.js';

export const creditsAdjust = operatorCommand({
  name: 'credits.adjust',
  forFinance: true,
  summary: 'Correct a balance up or down, with the id of the wrong movement',
  input: Type.Object({
    workspace_id: WorkspaceId,
    credits: CreditsInput,
    reason: PostingReason,
    corrects: Type.Optional(described('id of the wrong movement', Id)),
    beyond: Type.Optional(
      described('reason why the correction is larger than the movement; required in that case', Reason),
    ),
    adjust_key: Type.Optional(PostingKey),
    lot: Type.Optional(TakenLot),
    expires_at: Type.Optional(
      described(
        'date or timestamp at which added credits that are neither held nor spent expire',
        Type.String(),
      ),
    ),
    ...spendingOrderInput,
  }),
  output: PostingAnswer,
  charge: chargesNothing,
  async run(
    host,
    { workspace_id: workspaceId, reason, corrects, beyond, adjust_key: key, lot, ...input },
    context,
  ) {
    const credits = readChange(input.credits);
    requireNoTermsTaken(input, credits);
    const terms = termsGiven(input);
    const movementId = await host.ids.next('movement');
    const wanted = { movementId, key, credits, reason, corrects, beyond, lot };
    const decision = adjust(wanted, terms);
    return decideCredits(host, workspaceId, decision, context, postingAnswer(wanted, 'byAdjustKey'));
  },
});

const TERMS = ['expires_at', 'priority', 'promotional'] as const;

/** Credits that are taken back have no terms. Throws `invalidInput` with the field name. */
function requireNoTermsTaken(
  input: { readonly [Term in (typeof TERMS)[number]]?: unknown },
  credits: Credits,
): void {
  const given = TERMS.find((term) => input[term] !== undefined);
  if (credits < 0n && given !== undefined)
    throw invalidInput({ errors: fieldError(given, 'goes with added credits only') });
}
