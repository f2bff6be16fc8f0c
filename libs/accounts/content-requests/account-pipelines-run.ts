import { workspaceScoped, type CommandContext, type Decision } from '#kernel/commands/decider.js';
import type { ContentRequestWorkDocument } from '#projections/accounts/content-request-work/content-request-work.projection.js';
import type { AccountRequestDocument } from '#projections/accounts/account-requests/account-requests.projection.js';
import type { TopAccountsState } from '#accounts/domain/top-accounts/top-accounts-state.js';
import type { topAccountEvents } from '#accounts/domain/top-accounts/top-accounts.events.js';
import { topAccounts } from '#accounts/domain/top-accounts/top-accounts.js';
import type { ProcessHost } from '#process-engine/process.js';
import { requestUnderWay, type UnderWay } from './request-under-way.js';

/**
 * Pays what comes before the mappings of top accounts, as far as the balance goes: the months that are not covered
 * (OP-27). Throws `StoreUnavailable` where it cannot be seen what that is.
 */
export type PayFirst = (
  host: ProcessHost,
  task: { readonly workspaceId: number; readonly context: CommandContext },
  signal: AbortSignal,
) => Promise<void>;

/** The pipelines of one workspace, as they are worked off now. */
export type PipelinesRun = {
  readonly host: ProcessHost;
  readonly workspaceId: number;
  readonly now: () => string;
  /** Decides on the list's stream. */
  readonly record: (
    decision: Decision<TopAccountsState, typeof topAccountEvents>,
    step: string,
    options?: { readonly waitForReadModels: boolean },
  ) => Promise<void>;
};

const NAME = 'map-top-accounts';

export function pipelinesRun(host: ProcessHost, workspaceId: number): PipelinesRun {
  return {
    host,
    workspaceId,
    now: () => host.clock.now().toISOString(),
    async record(decision, step, { waitForReadModels } = { waitForReadModels: false }) {
      const commandId = `pipelines:${workspaceId}:${step}`;
      const context: CommandContext = {
        commandId,
        actor: { kind: 'process', id: NAME },
        workspaceId,
        correlationId: commandId,
      };
      await host.commands.handle(topAccounts, String(workspaceId), decision, {
        context,
        answer: () => null,
        waitForReadModels,
      });
    },
  };
}

/** What a command about a request is caused by. */
export const contextOf = (request: AccountRequestDocument, step: string): CommandContext => ({
  commandId: `content-request:${request.requestId}:${step}`,
  actor: { kind: 'process', id: NAME },
  workspaceId: request.workspaceId,
  correlationId: request.correlationId,
  causationId: request.plannedEventId,
});

/** The stream of a request. */
export const requestStream = ({ workspaceId, requestId }: AccountRequestDocument): string =>
  workspaceScoped(workspaceId, requestId);

/** A request that was made, as every step needs it. */
export function underWay(host: ProcessHost, request: AccountRequestDocument): Promise<UnderWay> {
  const { requestId, workspaceId, companyId, type, requestDate, plannedEventId, correlationId } = request;
  const work: ContentRequestWorkDocument = {
    requestId,
    workspaceId,
    companyId,
    type,
    source: 'top_account_list',
    requestDate,
    createdPosition: '',
    createdEventId: plannedEventId,
    correlationId,
  };
  return requestUnderWay(host, work, NAME);
}
