import { workspaceScoped, type CommandContext } from '#kernel/commands/decider.js';
import { processContext } from '#kernel/commands/process-context.js';
import type { AccountRequestDocument } from '#projections/accounts/account-requests/account-requests.projection.js';
import type { TopAccountsDecision } from '#accounts/domain/top-accounts/top-accounts-state.js';
import { topAccounts } from '#accounts/domain/top-accounts/top-accounts.js';
import type { ProcessHost } from '#process-engine/process.js';
import { contextOfRequest, requestUnderWay, type RequestToWork, type UnderWay } from './request-under-way.js';

/**
 * Pays for what has priority over the mappings of top accounts, as far as the balance allows: the uncovered months
 * (OP-27). Throws `StoreUnavailable` if the uncovered months cannot be read.
 */
export type PayFirst = (
  host: ProcessHost,
  task: { readonly workspaceId: number; readonly context: CommandContext },
  signal: AbortSignal,
) => Promise<void>;

/** The pipelines of one workspace during one run of the process. */
export type PipelinesRun = {
  readonly host: ProcessHost;
  readonly workspaceId: number;
  readonly now: () => string;
  /** Decides on the list's stream. */
  readonly record: (
    decision: TopAccountsDecision,
    step: string,
    options: { readonly waitForReadModels: boolean },
  ) => Promise<void>;
};

const NAME = 'map-top-accounts';

export function pipelinesRun(host: ProcessHost, workspaceId: number): PipelinesRun {
  return {
    host,
    workspaceId,
    now: () => host.clock.now().toISOString(),
    async record(decision, step, { waitForReadModels }) {
      await host.commands.handle(topAccounts, String(workspaceId), decision, {
        context: pipelinesContext(workspaceId, step),
        waitForReadModels,
      });
    },
  };
}

/** The context of a command about the pipelines of a workspace. */
export const pipelinesContext = (workspaceId: number, step: string): CommandContext =>
  processContext(NAME, workspaceId, `pipelines:${workspaceId}:${step}`);

const workOf = ({ plannedEventId, ...request }: AccountRequestDocument): RequestToWork => ({
  ...request,
  createdEventId: plannedEventId,
});

/** The context of a command about a planned request. */
export const contextOf = (request: AccountRequestDocument, step: string): CommandContext =>
  contextOfRequest(workOf(request), NAME)(step);

/** The stream of a request. */
export const requestStream = ({ workspaceId, requestId }: AccountRequestDocument): string =>
  workspaceScoped(workspaceId, requestId);

/** A request that exists, in the form that every step needs. */
export const underWay = (host: ProcessHost, request: AccountRequestDocument): Promise<UnderWay> =>
  requestUnderWay(host, workOf(request), NAME);
