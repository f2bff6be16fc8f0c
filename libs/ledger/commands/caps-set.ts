import { Type } from '#kernel/values/schema.js';
import { CapAnswer } from '#ledger/answers/cap.answer.js';
import { claimCall, keyedCall } from '#keyed-requests/operator-claim.js';
import { changeCaps, scopeNamed } from '#ledger/charging/change-caps.js';
import { addCap, noSuchScope, replaceCap, type EarlierSpending } from '#ledger/domain/set-caps.js';
import { CreditsInput, invalidInput, readLimit } from '#ops/support/amounts.js';
import { CallKey, described, WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { fieldError } from '#kernel/values/refusal.js';

const { id: CapId, scope, scope_id: ScopeId, period } = CapAnswer.properties;

export const capsSet = operatorCommand({
  name: 'caps.set',
  summary: 'Set a cap on the spending of a workspace, which can see but not change it; cap_id replaces a cap',
  input: Type.Object({
    workspace_id: WorkspaceId,
    cap_id: Type.Optional(described('id of the cap to replace; default: a new cap', CapId)),
    scope: described('what is limited', scope),
    scope_id: Type.Optional(described('id of the signal setup, agent or API key', ScopeId)),
    period: described('calendar day, ISO week or calendar month in UTC', period),
    limit: CreditsInput,
    set_key: Type.Optional(CallKey),
  }),
  output: CapAnswer,
  async run(host, input, context) {
    const { workspace_id: workspaceId, period } = input;
    await host.requireWorkspace(workspaceId);
    const scopeId = input.scope_id ?? null;
    const named = scopeNamed(input.scope);
    const limit = readLimit(input.limit, 'limit');
    const first = await claimCall(host, keyedCall('caps.set', 'set_key', input), context, async () => {
      if ((named === 'workspace') !== (scopeId === null))
        throw invalidInput({ errors: fieldError('scope_id', 'goes with every scope but workspace') });
      if (!(await host.hasCapScope(host, workspaceId, named, scopeId))) throw noSuchScope();
      return { capId: input.cap_id ?? (await host.ids.next('cap')) };
    });
    const wanted = { capId: first.idOf('capId'), scope: named, scopeId, period, limit };
    const set = input.cap_id === undefined ? addCap : replaceCap;
    const decide = (earlier: EarlierSpending | null) => set(wanted, 'operator', earlier);
    return changeCaps(host, workspaceId, wanted, decide, first.context);
  },
});
