import { Id, Nullable, OneOf, Timestamp, Type } from '#kernel/values/schema.js';
import { billingOf, creditAccount } from '#ledger/domain/credit-account.js';
import { topAccounts } from '#accounts/domain/top-accounts/top-accounts.js';
import { requireWorkspace, workspace } from '#access/domain/workspaces/workspace.js';
import { BalanceAnswer, balanceOf } from '#ledger/answers/balance.answer.js';
import { agents } from '#projections/signals/agents/agents.projection.js';
import { apiKeys } from '#projections/access/api-keys/api-keys.projection.js';
import { lists } from '#projections/lists/lists/lists.projection.js';
import { personas } from '#projections/lists/personas/personas.projection.js';
import { signalRuns } from '#projections/signals/signal-runs/signal-runs.projection.js';
import { signalSetups } from '#projections/signals/signal-setups/signal-setups.projection.js';
import { topAccounts as accountsView } from '#projections/accounts/top-accounts/top-accounts.projection.js';
import { workspaceKey, workspaces } from '#projections/access/workspaces/workspaces.projection.js';
import { WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand, type OperatorHost } from '#ops/support/operator-command.js';

const Count = Type.Integer({ minimum: 0 });

export const workspaceShow = operatorCommand({
  name: 'workspace.show',
  forFinance: true,
  summary: 'Show a workspace: payer, balance, API keys, numbers of its objects, quota',
  input: Type.Object({ workspace_id: WorkspaceId }),
  output: Type.Object({
    workspace_id: Id,
    name: Type.String(),
    billing: OneOf('self', 'partner', 'exempt'),
    partner_id: Nullable(Id),
    blocked: Type.Boolean(),
    account_mapping: Type.Boolean(),
    /** The limit of top accounts on trial and the number used: a removal does not free one. */
    trial_quota: Nullable(Count),
    top_accounts_accepted: Count,
    /** The active keys, and the last use of any key; null: none was ever used. */
    keys: Count,
    last_used_at: Nullable(Timestamp),
    personas: Count,
    lists: Count,
    top_accounts: Count,
    agents: Count,
    setups: Count,
    runs_in_progress: Count,
    tal_id: Nullable(Id),
    employee_list_id: Nullable(Id),
    balance: BalanceAnswer,
  }),
  async run(host, { workspace_id: workspaceId }) {
    const { commands, readModels } = host;
    const stream = String(workspaceId);
    const state = await commands.load(workspace, stream, (known) => {
      requireWorkspace(known);
      const { blocked, accountMapping, trialQuota, topAccountListId, employeeListId } = known;
      return { blocked, accountMapping, trialQuota, topAccountListId, employeeListId };
    });
    const [named, money, accepted, keys, counts] = await Promise.all([
      readModels.get(workspaces, workspaceKey(workspaceId)),
      commands.load(creditAccount, stream, (account) => ({
        billing: billingOf(account),
        balance: balanceOf(account.books),
      })),
      commands.load(topAccounts, stream, ({ acceptedAccounts }) => acceptedAccounts),
      keysOf(host, workspaceId),
      countsOf(host, workspaceId),
    ]);
    return {
      workspace_id: workspaceId,
      name: named?.name ?? '',
      billing: money.billing.mode,
      partner_id: money.billing.mode === 'partner' ? money.billing.partnerId : null,
      blocked: state.blocked,
      account_mapping: state.accountMapping,
      trial_quota: state.trialQuota,
      top_accounts_accepted: accepted,
      ...keys,
      ...counts,
      tal_id: state.topAccountListId,
      employee_list_id: state.employeeListId,
      balance: money.balance,
    };
  },
});

const MOST_KEYS = 1_000;

async function keysOf({ readModels, apiKeyUses }: OperatorHost, workspaceId: number) {
  const issued = await readModels.find(apiKeys, { where: { workspaceId }, limit: MOST_KEYS });
  const uses = await apiKeyUses.lastUses(issued.map(({ id }) => id));
  return {
    keys: issued.filter(({ revoked }) => !revoked).length,
    last_used_at: [...uses.values()].sort().at(-1) ?? null,
  };
}

/** The number of its listed objects of each kind, without archived and deleted ones. */
async function countsOf({ readModels }: OperatorHost, workspaceId: number) {
  const own = { workspaceId };
  const [personaCount, listCount, accountCount, agentCount, setupCount, running] = await Promise.all([
    readModels.count(personas, { where: { ...own, archived: false } }),
    readModels.count(lists, { where: { ...own, deleted: false, archived: false } }),
    readModels.count(accountsView, { where: own }),
    readModels.count(agents, { where: own }),
    readModels.count(signalSetups, { where: own }),
    readModels.count(signalRuns, { where: { ...own, stage: 'running' } }),
  ]);
  return {
    personas: personaCount,
    lists: listCount,
    top_accounts: accountCount,
    agents: agentCount,
    setups: setupCount,
    runs_in_progress: running,
  };
}
