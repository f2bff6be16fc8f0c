import { fromStored, toJsonNumber } from '#kernel/values/credits.js';
import { Id, Nullable, OneOf, Timestamp, Type } from '#kernel/values/schema.js';
import { Amount } from '#kernel/values/amounts.js';
import { WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { PageAnswer, pageInput, readPage } from '#ops/support/pages.js';
import {
  recurringGrants,
  type RecurringGrantDocument,
} from '#projections/ledger/recurring-grants/recurring-grants.projection.js';

const RecurringRow = Type.Object({
  rule_id: Id,
  /** `ended`: the last grant before `until` was given. */
  status: OneOf('active', 'stopped', 'ended'),
  credits: Amount,
  reason: Type.String(),
  rule_key: Nullable(Type.String()),
  every: OneOf('day', 'week', 'month'),
  from: Timestamp,
  until: Nullable(Timestamp),
  expires_after: Nullable(Type.String()),
  priority: Type.Integer({ minimum: 0, maximum: 100 }),
  promotional: Type.Boolean(),
  ceiling: Nullable(Amount),
  next_due: Nullable(Timestamp),
  grants: Type.Integer({ minimum: 0 }),
  given: Amount,
  /** The number of due grants that were skipped; the newest 50 are listed. */
  skips: Type.Integer({ minimum: 0 }),
  skipped: Type.Array(Type.Object({ due: Timestamp, why: OneOf('over', 'ceiling', 'lots', 'total') })),
});

export const creditsRecurringList = operatorCommand({
  name: 'credits.recurring.list',
  forFinance: true,
  summary: 'List the recurring grants of a workspace with their granted and skipped lots',
  input: Type.Object({ workspace_id: WorkspaceId, ...pageInput }),
  output: Type.Object({ ...PageAnswer, recurring: Type.Array(RecurringRow) }),
  async run({ readModels, requireWorkspace }, { workspace_id: workspaceId, ...asked }) {
    await requireWorkspace(workspaceId);
    const wanted = { where: { workspaceId }, sort: [['ruleId', 'asc']] as const };
    const { rows, numbers } = await readPage<RecurringGrantDocument>(
      readModels,
      recurringGrants,
      wanted,
      asked,
    );
    return { ...numbers, recurring: rows.map(rowOf) };
  },
});

const rowOf = (grant: RecurringGrantDocument) => ({
  rule_id: grant.ruleId,
  status: grant.stoppedAt !== null ? 'stopped' : grant.nextDue === null ? 'ended' : 'active',
  credits: toJsonNumber(fromStored(grant.credits)),
  reason: grant.reason,
  rule_key: grant.key ?? null,
  every: grant.every,
  from: grant.from,
  until: grant.until ?? null,
  expires_after:
    grant.lifetime === undefined
      ? null
      : `P${grant.lifetime.count}${grant.lifetime.unit === 'month' ? 'M' : 'D'}`,
  priority: grant.priority,
  promotional: grant.promotional,
  ceiling: grant.ceiling === undefined ? null : toJsonNumber(fromStored(grant.ceiling)),
  next_due: grant.nextDue,
  grants: grant.grants,
  given: toJsonNumber(fromStored(grant.given)),
  skips: grant.skips,
  skipped: grant.skipped,
});
