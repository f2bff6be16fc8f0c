import { workspaceScoped, type CommandContext } from '#kernel/commands/decider.js';
import { HOUR_MS } from '#kernel/values/durations.js';
import type { PaidWork } from '#ledger/charging/charges.js';
import type {
  ContentRequestCreated,
  PlannedPerson,
} from '#accounts/domain/content-requests/content-request.events.js';
import {
  contentRequest,
  type ContentRequest,
  type ContentRequestDecision,
} from '#accounts/domain/content-requests/content-request.js';
import { workspaceState } from '#accounts/workspace-state.js';
import type { ContentRequestWorkDocument } from '#projections/accounts/content-request-work/content-request-work.projection.js';
import type { ProcessHost } from '#process-engine/process.js';

/** The progress of a request. */
export type RequestProgress = Omit<ContentRequest, 'people' | 'created'> & {
  readonly people: readonly PlannedPerson[];
};

/** What the work on a request needs to know of it beforehand. */
export type RequestToWork = Pick<
  ContentRequestWorkDocument,
  'requestId' | 'workspaceId' | 'companyId' | 'correlationId' | 'createdEventId'
>;

/** One request with everything that its steps need: its stream, its creation, and its command ids. */
export type UnderWay = {
  readonly work: RequestToWork;
  readonly created: ContentRequestCreated;
  /** The API key whose call created it; null if no call did. */
  readonly keyId: number | null;
  readonly paid: PaidWork;
  readonly context: (step: string) => CommandContext;
  readonly progress: () => Promise<RequestProgress>;
  /** Decides on the request's stream and returns the new state of the request. */
  readonly send: (decision: ContentRequestDecision, step: string) => Promise<RequestProgress>;
};

const progressOf = ({ people, created: _, ...progress }: ContentRequest): RequestProgress => ({
  ...progress,
  people: [...people.values()],
});

/**
 * The contexts of the commands about a request. Each id is derived from the request and the step, so that a repeated step
 * is idempotent.
 */
export const contextOfRequest =
  (
    { requestId, workspaceId, correlationId, createdEventId }: Omit<RequestToWork, 'companyId'>,
    processName: string,
  ) =>
  (step: string): CommandContext => ({
    commandId: `content-request:${requestId}:${step}`,
    actor: { kind: 'process', id: processName },
    workspaceId,
    correlationId,
    causationId: createdEventId,
  });

/** A request that was created. */
export async function requestUnderWay(
  host: Pick<ProcessHost, 'commands'>,
  work: RequestToWork,
  processName: string,
): Promise<UnderWay> {
  const { workspaceId, requestId } = work;
  const stream = workspaceScoped(workspaceId, requestId);
  const { created, keyId } = await host.commands.load(contentRequest, stream, (request) => ({
    created: request.created,
    keyId: request.keyId,
  }));
  if (created === null) throw new Error(`request ${requestId} of workspace ${workspaceId} was never created`);
  const context = contextOfRequest(work, processName);
  return {
    work,
    created,
    keyId,
    context,
    paid: { workspaceId, context },
    progress: () => host.commands.load(contentRequest, stream, progressOf),
    async send(decision, step) {
      const options = { context: context(step), answer: progressOf, waitForReadModels: false };
      return (await host.commands.handle(contentRequest, stream, decision, options)).answer;
    },
  };
}

const NO_PROGRESS_MS = 6 * HOUR_MS;

/**
 * Whether a request made no progress for too long (OP-58), while a worker was alive and its workspace not blocked.
 */
export async function hasStalled(
  host: Pick<ProcessHost, 'commands' | 'clock' | 'startedAt'>,
  { work }: UnderWay,
  { lastProgressAt }: RequestProgress,
): Promise<boolean> {
  const { unblockedAt } = await workspaceState(host.commands, work.workspaceId);
  const since = Math.max(
    Date.parse(lastProgressAt ?? ''),
    host.startedAt.getTime(),
    Date.parse(unblockedAt ?? '') || 0,
  );
  return host.clock.now().getTime() - since > NO_PROGRESS_MS;
}
