import { fromStored, toJsonNumber } from '#kernel/values/credits.js';
import { Id, Nullable, OneOf, Type } from '#kernel/values/schema.js';
import { Amount } from '#ledger/answers/answer-fields.js';
import {
  availableCredits,
  creditBalances,
  type CreditBalanceDocument,
} from '#projections/ledger/credit-balances/credit-balances.projection.js';
import { workspaces } from '#projections/access/workspaces/workspaces.projection.js';
import { PartnerId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { PageAnswer, pageInput, readPage } from '#ops/support/pages.js';

const WorkspaceRow = Type.Object({
  workspace_id: Id,
  name: Type.String(),
  /** null: it is being provisioned. */
  billing: Nullable(OneOf('self', 'partner', 'exempt')),
  partner_id: Nullable(Id),
  blocked: Type.Boolean(),
  balance: Amount,
  held: Amount,
});

export const workspaceList = operatorCommand({
  name: 'workspace.list',
  forFinance: true,
  summary: 'List the workspaces, those of a partner where one is named, with what they can spend',
  input: Type.Object({ partner_id: Type.Optional(PartnerId), ...pageInput }),
  output: Type.Object({ ...PageAnswer, workspaces: Type.Array(WorkspaceRow) }),
  async run({ readModels, clock }, { partner_id: partnerId, ...asked }) {
    const wanted = {
      ...(partnerId !== undefined && { where: { partnerId } }),
      sort: [['id', 'asc']] as const,
    };
    const { rows, numbers } = await readPage(readModels, workspaces, wanted, asked);
    const balances = await readModels.getMany(
      creditBalances,
      rows.map(({ id }) => String(id)),
    );
    return {
      ...numbers,
      workspaces: rows.map((row) => ({
        workspace_id: row.id,
        name: row.name,
        billing: row.billing,
        partner_id: row.partnerId,
        blocked: row.blocked,
        ...spendable(balances.get(String(row.id)), clock.now()),
      })),
    };
  },
});

function spendable(balance: CreditBalanceDocument | undefined, now: Date) {
  if (balance === undefined) return { balance: 0, held: 0 };
  return {
    balance: toJsonNumber(availableCredits(balance, now)),
    held: toJsonNumber(fromStored(balance.held)),
  };
}
