import { contextOfStep, streamName, workspaceScoped, type CommandContext } from '#kernel/commands/decider.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { refusal } from '#kernel/values/refusal.js';
import { Id, OneOf, Type } from '#kernel/values/schema.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { grant, setBillingMode } from '#ledger/domain/post-credits.js';
import { createEmployeeList, list } from '#lists/domain/lists/list.js';
import { claimCall, keyedCall } from '#keyed-requests/operator-claim.js';
import { createTopAccountList, topAccounts } from '#accounts/domain/top-accounts/top-accounts.js';
import { apiKey, apiKeyStreamId } from '#access/domain/api-keys/api-key.js';
import { provision, workspace } from '#access/domain/workspaces/workspace.js';
import { workspaces } from '#projections/access/workspaces/workspaces.projection.js';
import { sources, type SourceDocument } from '#projections/sources/sources/sources.projection.js';
import { shareSource, source } from '#sources/domain/source.js';
import { csv } from '#sources/kinds/csv.js';
import { apiKeys } from '#projections/access/api-keys/api-keys.projection.js';
import { CreditsInput, readPositiveCredits } from '#ops/support/amounts.js';
import { described, PartnerId, visibleText } from '#ops/support/inputs.js';
import { issueApiKey } from '#access/commands/new-api-key.js';
import { issueKeyedApiKey, requireUndelivered } from '#access/commands/keyed-api-key.js';
import { operatorCommand, type OperatorHost } from '#ops/support/operator-command.js';
import { readBilling } from '#catalogue/commands/read-billing.js';

const Input = Type.Object({
  name: described('name for operators', visibleText(200)),
  billing: Type.Optional(described('who pays; default: self', OneOf('self', 'partner', 'exempt'))),
  partner_id: Type.Optional(PartnerId),
  account_mapping: Type.Optional(
    described('whether the workspace may map accounts; default: true', Type.Boolean()),
  ),
  trial_quota: Type.Optional(
    described('largest number of top accounts on trial; default: no limit', Type.Integer({ minimum: 0 })),
  ),
  credits: Type.Optional(CreditsInput),
  shared: Type.Optional(
    described('share the observations of all unshared csv files with every workspace', Type.Boolean()),
  ),
  create_key: Type.Optional(
    described(
      'key of this call: a repetition with the same key returns the same workspace',
      Type.String({ minLength: 1, maxLength: 255 }),
    ),
  ),
});

export const workspaceCreate = operatorCommand({
  name: 'workspace.create',
  summary: 'Create a workspace and show its first API key, once',
  input: Input,
  output: Type.Object({
    workspace_id: Id,
    api_key: Type.String(),
    key_id: Id,
    tal_id: Id,
    employee_list_id: Id,
  }),
  async run(host, input, context) {
    const billing = await readBilling(host, input);
    const credits = input.credits === undefined ? null : readPositiveCredits(input.credits);
    const call = keyedCall('workspace.create', 'create_key', input);
    const claimed = await claimCall(host, call, context, async () => {
      // Before an id is allocated: a refusal leaves nothing.
      await shareFiles(host, input.shared === true, context);
      const [topAccountListId = 0, employeeListId = 0] = await host.ids.nextMany('list', 2);
      return { workspaceId: await host.ids.next('workspace'), topAccountListId, employeeListId };
    });
    const { idOf } = claimed;
    const workspaceId = idOf('workspaceId');
    const [topAccountListId, employeeListId] = [idOf('topAccountListId'), idOf('employeeListId')];
    const first =
      call === null
        ? null
        : { call, unrecordedIds: await keysOf(host, workspaceId, claimed.context.commandId) };
    if (first !== null) await requireUndelivered(host, first, 'Issue another key with apikey.issue.');
    const options = { context };
    const stream = String(workspaceId);
    const now = host.clock.now().toISOString();

    // Each step is idempotent. The API key comes last, so that an active key always belongs to a complete
    // workspace.
    const provisioning = {
      name: input.name,
      topAccountListId,
      employeeListId,
      accountMapping: input.account_mapping ?? true,
      trialQuota: input.trial_quota ?? null,
    };
    await host.commands.handle(workspace, stream, provision(provisioning), options);
    await host.commands.handle(creditAccount, stream, setBillingMode(billing), options);
    if (credits !== null) {
      const movementId = await host.ids.next('movement');
      const opening = { movementId, key: `workspace:${workspaceId}`, credits, reason: 'opening balance' };
      await host.commands.handle(creditAccount, stream, grant(opening), options);
    }
    const employees = createEmployeeList({ listId: employeeListId, now });
    await host.commands.handle(list, workspaceScoped(workspaceId, employeeListId), employees, options);
    await host.commands.handle(topAccounts, stream, createTopAccountList(topAccountListId), options);
    const wanted = { workspaceId, label: 'first key', isReadOnly: false };
    const key = await (first === null
      ? issueApiKey(host, wanted, context)
      : issueKeyedApiKey(host, first, wanted, context));
    return { workspace_id: workspaceId, ...key, tal_id: topAccountListId, employee_list_id: employeeListId };
  },
});

const needsShared = refusal({
  code: 'sources-need-shared',
  kind: 'conflicting',
  detail: 'There are files of customers that are not shared.',
});

/** SRC-10: files that another workspace reads too are reported, and shared only if the call requests it. */
async function shareFiles(host: OperatorHost, isShared: boolean, context: CommandContext): Promise<void> {
  const [first] = await host.readModels.find(workspaces, { limit: 1 });
  if (first === undefined) return;
  const found = await host.readModels.find<SourceDocument>(sources, {
    where: { kind: csv.name },
    limit: MOST_FILES,
  });
  // Observations of a removed source stay.
  const unshared = found.filter((source) => !source.isShared);
  if (unshared.length === 0) return;
  if (!isShared) {
    const named = unshared.map(({ id, name }) => `source ${id} (${name})`).join(', ');
    throw needsShared({
      detail: `All workspaces would see the content of ${named}. Create the workspace with shared if they may.`,
      members: { source_ids: unshared.map(({ id }) => id) },
    });
  }
  const sharedAt = host.clock.now().toISOString();
  for (const { id } of unshared) {
    const options = { context: contextOfStep(context, `share:${id}`) };
    await host.commands.handle(source, String(id), shareSource(sharedAt), options);
  }
}

const MOST_FILES = 1_000;

/**
 * The keys that the command with this id and its repetitions issued, revoked ones too: a repetition revokes the earlier
 * key. The label does not tell: a user may give it to another key.
 */
async function keysOf(
  host: OperatorHost,
  workspaceId: number,
  commandId: string,
): Promise<readonly number[]> {
  const sort = [['id', 'asc']] as const;
  const issued = await host.readModels.find(apiKeys, { where: { workspaceId }, sort, limit: 100 });
  const commandIds = new Set<string | undefined>([commandId]);
  const ids: number[] = [];
  for (const { id, hash } of issued) {
    const events: StoredEvent[] = [];
    const stream = streamName(apiKey, apiKeyStreamId(hash));
    for await (const batch of host.eventStore.readStream(stream)) events.push(...batch);
    const [by, ...later] = events.map(({ metadata }) => metadata['commandId']);
    if (!commandIds.has(by)) continue;
    ids.push(id);
    for (const each of later) commandIds.add(each);
  }
  return ids;
}
