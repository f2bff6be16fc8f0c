import { workspaceScoped, type CommandContext } from '#kernel/commands/decider.js';
import { sha256Hex } from '#kernel/values/hash.js';
import { canonicalJson, type JsonObject } from '#kernel/values/json.js';
import { refusal } from '#kernel/values/refusal.js';
import { Id, OneOf, Type, type Static } from '#kernel/values/schema.js';
import { apiKey, apiKeyStreamId, revoke } from '#access/domain/api-keys/api-key.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { grant, setBillingMode } from '#ledger/domain/post-credits.js';
import { createEmployeeList, list } from '#lists/domain/lists/list.js';
import { claim, operatorRequest } from '#keyed-requests/request.js';
import { createTopAccountList, topAccounts } from '#accounts/domain/top-accounts/top-accounts.js';
import { provision, workspace } from '#access/domain/workspaces/workspace.js';
import { workspaces } from '#projections/access/workspaces/workspaces.projection.js';
import { sources, type SourceDocument } from '#projections/sources/sources/sources.projection.js';
import { shareSource, source } from '#sources/domain/source.js';
import { csv } from '#sources/kinds/csv.js';
import { apiKeys, type ApiKeyDocument } from '#projections/access/api-keys/api-keys.projection.js';
import { CreditsInput, readPositiveCredits } from '#ops/support/amounts.js';
import { described, PartnerId, visibleText } from '#ops/support/inputs.js';
import { issueApiKey } from '#access/commands/new-api-key.js';
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

const FIRST_KEY = 'first key';

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
    const ids = await claimIds(host, input, context);
    const { workspaceId, topAccountListId, employeeListId } = ids;
    await requireUnused(host, workspaceId);
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
    await revokeUndelivered(host, workspaceId, context);
    const key = await issueApiKey(host, workspaceId, FIRST_KEY, context);
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
    const options = { context: { ...context, commandId: `${context.commandId}:share:${id}` } };
    await host.commands.handle(source, String(id), shareSource(sharedAt), options);
  }
}

const MOST_FILES = 1_000;

type ProvisionedIds = {
  readonly workspaceId: number;
  readonly topAccountListId: number;
  readonly employeeListId: number;
};

/** New ids, or with a `create_key` those of the first request that named it. */
async function claimIds(
  host: OperatorHost,
  input: Static<typeof Input>,
  context: CommandContext,
): Promise<ProvisionedIds> {
  const allocate = async (): Promise<ProvisionedIds> => {
    // Before an id is allocated: a refusal leaves nothing.
    await shareFiles(host, input.shared === true, context);
    const [topAccountListId = 0, employeeListId = 0] = await host.ids.nextMany('list', 2);
    return { workspaceId: await host.ids.next('workspace'), topAccountListId, employeeListId };
  };
  if (input.create_key === undefined) return allocate();
  const stream = `operator_${sha256Hex(`workspace.create:${input.create_key}`).slice(0, 32)}`;
  const requestHash = sha256Hex(canonicalJson(input));
  const known = await host.commands.load(operatorRequest, stream, ({ claim: made }) => made?.ids ?? null);
  const ids: JsonObject = known ?? { ...(await allocate()) };
  const claimed = await host.commands.handle(
    operatorRequest,
    stream,
    claim('create_key', { requestHash, commandId: context.commandId, ids }),
    { context, answer: (state) => state.claim?.ids ?? ids },
  );
  return readIds(claimed.answer);
}

function readIds({ workspaceId, topAccountListId, employeeListId }: JsonObject): ProvisionedIds {
  if (
    typeof workspaceId !== 'number' ||
    typeof topAccountListId !== 'number' ||
    typeof employeeListId !== 'number'
  ) {
    throw new Error('the claim of a workspace holds no ids');
  }
  return { workspaceId, topAccountListId, employeeListId };
}

const deliveredApiKey = refusal({
  code: 'api-key-in-use',
  kind: 'conflicting',
  detail:
    'The API key of the earlier call has been used, so its answer was received. Issue another key with apikey.issue.',
});

/** Keys that this call made, revoked ones too. */
async function firstKeys(host: OperatorHost, workspaceId: number): Promise<readonly ApiKeyDocument[]> {
  const issued = await host.readModels.find(apiKeys, { where: { workspaceId }, limit: 100 });
  return issued.filter(({ label }) => label === FIRST_KEY);
}

/** A working key is not revoked by a call that may be a mistake. */
async function requireUnused(host: OperatorHost, workspaceId: number): Promise<void> {
  const keys = await firstKeys(host, workspaceId);
  const uses = await host.apiKeyUses.lastUses(keys.map(({ id }) => id));
  if (uses.size > 0) throw deliveredApiKey();
}

/** A key whose answer was lost is useless: the repetition replaces it. */
async function revokeUndelivered(
  host: OperatorHost,
  workspaceId: number,
  context: CommandContext,
): Promise<void> {
  for (const { id, hash, revoked } of await firstKeys(host, workspaceId)) {
    if (revoked) continue;
    await host.commands.handle(apiKey, apiKeyStreamId(hash), revoke(workspaceId), { context });
    host.apiKeyRevoked(id);
  }
}
