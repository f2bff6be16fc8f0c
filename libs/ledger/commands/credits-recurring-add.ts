import { toStored } from '#kernel/values/credits.js';
import { fieldError } from '#kernel/values/refusal.js';
import { Id, Nullable, OneOf, Timestamp, Type } from '#kernel/values/schema.js';
import { DAY_MS } from '#kernel/values/durations.js';
import { decideCredits } from '#ledger/charging/decide-credits.js';
import { dueAt } from '#ledger/domain/recurring-facts.js';
import { addRecurring, ruleOfKey } from '#ledger/domain/recurring-grants.js';
import { CreditsInput, invalidInput, readPositiveCredits } from '#ops/support/amounts.js';
import { described, WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { readInstant } from '#ops/support/read-instant.js';
import { spendingOrderInput, spendingOrderOf } from './ledger-inputs.js';
import { PostingReason } from './posting-answer.js';

const LIFETIME = /^P(\d{1,4})([DWM])$/;
const MOST_DAYS = 1_200;
const YEAR_MS = 366 * DAY_MS;

export const creditsRecurringAdd = operatorCommand({
  name: 'credits.recurring.add',
  summary:
    'Grant credits every day, week or month: a process grants each lot when it is due; a repeated rule_key changes nothing',
  input: Type.Object({
    workspace_id: WorkspaceId,
    credits: CreditsInput,
    reason: PostingReason,
    every: described(
      'period; months begin on the day of from, or on the last day of a shorter month',
      OneOf('day', 'week', 'month'),
    ),
    from: Type.Optional(
      described('date or timestamp of the first grant, at most a year ago; default: now', Type.String()),
    ),
    until: Type.Optional(described('date or timestamp from which no grant is due', Type.String())),
    expires_after: Type.Optional(
      described(
        'ISO 8601 duration of days, weeks or months (P30D, P1M) from the due time to the expiry of each lot; default: no expiry',
        Type.String(),
      ),
    ),
    ...spendingOrderInput,
    ceiling: Type.Optional({
      ...CreditsInput,
      description:
        'most credits of these grants that may be available and held together; a larger grant is reduced',
    }),
    rule_key: Type.Optional(
      described(
        'key of this recurring grant: a repetition with the same key changes nothing',
        Type.String({ minLength: 1, maxLength: 255 }),
      ),
    ),
    again: Type.Optional(
      described('add although a recurring grant with the same terms is running', Type.Boolean()),
    ),
  }),
  /**
   * `replayed`: the key was already used for the same recurring grant. Nothing was added, and `rule_id` is that of
   * the first call.
   */
  output: Type.Object({ rule_id: Id, next_due: Nullable(Timestamp), replayed: Type.Boolean() }),
  async run(
    host,
    { workspace_id: workspaceId, reason, every, again = false, rule_key: key, ...input },
    context,
  ) {
    const now = host.clock.now();
    const from = input.from === undefined ? now.toISOString() : readInstant(input.from, 'from');
    if (Date.parse(from) < now.getTime() - YEAR_MS)
      throw invalidInput({ errors: fieldError('from', 'must not be more than a year ago') });
    const until = input.until === undefined ? undefined : readInstant(input.until, 'until');
    if (until !== undefined && until <= from)
      throw invalidInput({ errors: fieldError('until', 'must be after from') });
    const terms = {
      credits: toStored(readPositiveCredits(input.credits)),
      reason,
      every,
      from,
      until,
      lifetime: input.expires_after === undefined ? undefined : readLifetime(input.expires_after),
      ...spendingOrderOf(input),
      ceiling:
        input.ceiling === undefined ? undefined : toStored(readPositiveCredits(input.ceiling, 'ceiling')),
      key,
    };
    const decision = addRecurring(terms, again, input.from === undefined);
    return decideCredits(host, workspaceId, decision, context, (account, events) => {
      const earlier = events.length === 0 ? ruleOfKey(account, key) : null;
      if (earlier === null)
        return { rule_id: account.recurring.last, next_due: dueAt(terms, 0), replayed: false };
      const { rule, passed } = earlier;
      const isOpen = account.recurring.open.has(rule);
      return { rule_id: rule, next_due: isOpen ? dueAt(earlier, passed) : null, replayed: true };
    });
  },
});

/** `P2W` is 14 days. Throws `invalidInput` with the field name. */
function readLifetime(text: string): { readonly unit: 'day' | 'month'; readonly count: number } {
  const [, number = '0', unit] = LIFETIME.exec(text) ?? [];
  const count = Number(number) * (unit === 'W' ? 7 : 1);
  if (count >= 1 && count <= MOST_DAYS) return { unit: unit === 'M' ? 'month' : 'day', count };
  const shape = `must be a duration of days, weeks or months such as P30D or P1M, at most ${MOST_DAYS} of them`;
  throw invalidInput({ errors: fieldError('expires_after', shape) });
}
