import { workspaceScoped, type CommandContext } from '#kernel/commands/decider.js';
import { Id, Type } from '#kernel/values/schema.js';
import type { ContentRequestCreated } from '#accounts/domain/content-requests/content-request.events.js';
import {
  contentRequest,
  isEnded,
  unknownContentRequest,
} from '#accounts/domain/content-requests/content-request.js';
import { planAgain, requestNotFailed } from '#accounts/domain/top-accounts/account-requests.js';
import { topAccounts } from '#accounts/domain/top-accounts/top-accounts.js';
import { launchPrice } from '#accounts/mappings/enrichment-charge.js';
import { launchMappings } from '#accounts/mappings/launch-mappings.js';
import { requestableAccounts } from '#accounts/mappings/requestable-accounts.js';
import { described, WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand, type OperatorHost } from '#ops/support/operator-command.js';

export const contentRequestRetry = operatorCommand({
  name: 'contentrequest.retry',
  summary: 'Repeat a failed content request as a new request',
  input: Type.Object({
    workspace_id: WorkspaceId,
    request_id: described('id of the failed request', Id),
  }),
  output: Type.Object({ request_id: Id }),
  async run(host, { workspace_id, request_id }, context) {
    const failed = await host.commands.load(
      contentRequest,
      workspaceScoped(workspace_id, request_id),
      (request) => ({
        created: request.created,
        hasFailed: isEnded(request) && request.stage !== 'completed',
      }),
    );
    if (failed.created === null) throw unknownContentRequest();
    if (!failed.hasFailed) throw requestNotFailed();
    const again = failed.created.source === 'api' ? launchAgain : planForAccount;
    return { request_id: await again(host, workspace_id, failed.created, context) };
  },
});

/** A mapping that a caller requested: it is charged like any launch of today. */
async function launchAgain(
  host: OperatorHost,
  workspaceId: number,
  { companyId, personaId, identifier }: ContentRequestCreated,
  context: CommandContext,
): Promise<number> {
  if (personaId === null) throw requestNotFailed();
  const [launch] = await launchMappings(host, {
    workspaceId,
    companyId,
    requestDate: host.clock.now().toISOString().slice(0, 10),
    identifier: identifier ?? '',
    personaIds: [personaId],
    credits: await launchPrice(host, workspaceId),
    context,
  });
  // On the day of the failure a request that would only fail again is kept (OP-56).
  if (launch?.status !== 'launched') throw requestNotFailed();
  return launch.requestId;
}

/** A request of a top account: it is planned again, and charged when its turn comes. */
async function planForAccount(
  host: OperatorHost,
  workspaceId: number,
  { requestId, companyId, type }: ContentRequestCreated,
  context: CommandContext,
): Promise<number> {
  const [company] = await requestableAccounts(host, workspaceId, [companyId]);
  if (company === undefined) throw requestNotFailed();
  const decision = planAgain({ requestId, type, company }, host.clock.now().toISOString());
  const { answer } = await host.commands.handle(topAccounts, String(workspaceId), decision, {
    context,
    answer: ({ requests }) => requests.get(companyId)?.[type]?.requestId ?? null,
  });
  if (answer === null) throw new Error(`no request was planned in the place of ${requestId}`);
  return answer;
}
