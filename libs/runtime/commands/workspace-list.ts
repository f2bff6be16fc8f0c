import { fromStored, toJsonNumber } from '#kernel/values/credits.js';
import { Day, Id, Nullable, OneOf, Type } from '#kernel/values/schema.js';
import { Amount } from '#kernel/values/amounts.js';
import {
  availableCredits,
  creditBalances,
  type CreditBalanceDocument,
} from '#projections/ledger/credit-balances/credit-balances.projection.js';
import {
  creditOutlooks,
  type CreditOutlookDocument,
} from '#projections/ledger/credit-outlooks/credit-outlooks.projection.js';
import { workspaces, type WorkspaceDocument } from '#projections/access/workspaces/workspaces.projection.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { fieldError } from '#kernel/values/refusal.js';
import { invalidInput } from '#ops/support/amounts.js';
import { described, PartnerId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { PageAnswer, pageInput, readPage, type AskedPage } from '#ops/support/pages.js';

const WorkspaceRow = Type.Object({
  workspace_id: Id,
  name: Type.String(),
  /** null: it is being provisioned. */
  billing: Nullable(OneOf('self', 'partner', 'exempt')),
  partner_id: Nullable(Id),
  blocked: Type.Boolean(),
  balance: Amount,
  held: Amount,
  /** The day on which the balance is foreseen to end, as it was looked at last; null: none is. */
  runs_out_on: Nullable(Day),
});

const byRunOut = fieldError(
  'partner_id',
  'does not go with by run-out: a balance ends where nobody else pays',
);

export const workspaceList = operatorCommand({
  name: 'workspace.list',
  forFinance: true,
  summary: 'List the workspaces with what they can spend and when that is foreseen to end',
  input: Type.Object({
    partner_id: Type.Optional(PartnerId),
    by: Type.Optional(
      described(
        'id (as when absent), or run-out: those whose balance ends, the soonest first',
        OneOf('id', 'run-out'),
      ),
    ),
    ...pageInput,
  }),
  output: Type.Object({ ...PageAnswer, workspaces: Type.Array(WorkspaceRow) }),
  async run({ readModels, clock }, { partner_id: partnerId, by = 'id', ...asked }) {
    if (by === 'run-out' && partnerId !== undefined) throw invalidInput({ errors: byRunOut });
    const { rows, numbers } = await (by === 'run-out'
      ? soonestFirst(readModels, asked)
      : readPage(
          readModels,
          workspaces,
          { ...(partnerId !== undefined && { where: { partnerId } }), sort: [['id', 'asc']] },
          asked,
        ));
    const keys = rows.map(({ id }) => String(id));
    const [balances, outlooks] = await Promise.all([
      readModels.getMany(creditBalances, keys),
      readModels.getMany(creditOutlooks, keys),
    ]);
    return {
      ...numbers,
      workspaces: rows.map((row) => ({
        workspace_id: row.id,
        name: row.name,
        billing: row.billing,
        partner_id: row.partnerId,
        blocked: row.blocked,
        ...spendable(balances.get(String(row.id)), clock.now()),
        runs_out_on: outlooks.get(String(row.id))?.endsOn ?? null,
      })),
    };
  },
});

/** A page of the workspaces whose balance is foreseen to end. */
async function soonestFirst(
  readModels: ReadModels,
  asked: AskedPage,
): Promise<{
  readonly rows: readonly WorkspaceDocument[];
  readonly numbers: Awaited<ReturnType<typeof readPage>>['numbers'];
}> {
  const sort = [
    ['endsOn', 'asc'],
    ['workspaceId', 'asc'],
  ] as const;
  const ending = { where: { endsOn: { gt: '' } }, sort };
  const page = await readPage<CreditOutlookDocument>(readModels, creditOutlooks, ending, asked);
  const keys = page.rows.map(({ workspaceId }) => String(workspaceId));
  const found = await readModels.getMany(workspaces, keys);
  return { rows: keys.flatMap((key) => found.get(key) ?? []), numbers: page.numbers };
}

function spendable(balance: CreditBalanceDocument | undefined, now: Date) {
  if (balance === undefined) return { balance: 0, held: 0 };
  return {
    balance: toJsonNumber(availableCredits(balance, now)),
    held: toJsonNumber(fromStored(balance.held)),
  };
}
