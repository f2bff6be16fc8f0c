import { eachPage } from '#kernel/projections/each-page.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import { sideBySide } from '#kernel/values/side-by-side.js';
import {
  contentRequest,
  createContentRequest,
  isEnded,
} from '#accounts/domain/content-requests/content-request.js';
import {
  confirmMappings,
  mappingDay,
  mappingDayOf,
  reserveMappings,
  type MappingDayDecision,
  type MappingLaunch,
} from '#accounts/domain/mappings/mapping-day.js';
import {
  accountRequests,
  type AccountRequestDocument,
} from '#projections/accounts/account-requests/account-requests.projection.js';
import { contextOf, requestStream, type PipelinesRun } from './account-pipelines-run.js';

const PAGE = 100;
const CREATED_AT_ONCE = 25;

/** Creates the planned requests, in their order. */
export async function createAccountRequests(run: PipelinesRun, signal: AbortSignal): Promise<void> {
  const { host, workspaceId } = run;
  const pages = eachPage(host.readModels, accountRequests, {
    where: { workspaceId, created: false },
    sort: [['requestId', 'asc']],
    limit: PAGE,
    signal,
  });
  for await (const planned of pages) {
    await sideBySide(planned, CREATED_AT_ONCE, (request) => createAccountRequest(run, request));
  }
}

/** Creates one planned request. Idempotent. */
export async function createAccountRequest(
  run: PipelinesRun,
  request: AccountRequestDocument,
): Promise<void> {
  const { requestId, type, companyId, identifier, requestDate, plannedAt } = request;
  const mappingId = type === 'account_mapping' ? await launchedMapping(run, request) : null;
  const decision = createContentRequest({
    requestId,
    type,
    companyId,
    personaId: null,
    source: 'top_account_list',
    identifier,
    requestDate,
    mappingId,
    movementId: null,
    createdAt: plannedAt,
  });
  await run.host.commands.handle(contentRequest, requestStream(request), decision, {
    context: contextOf(request, 'create'),
    waitForReadModels: false,
  });
}

/**
 * The mapping without a persona on the day of the request: one that was begun before the end of that day continues.
 */
async function launchedMapping(run: PipelinesRun, request: AccountRequestDocument): Promise<number> {
  const { commands } = run.host;
  const { workspaceId, requestId, companyId, requestDate, mappingId } = request;
  if (mappingId === null) throw new Error(`request ${requestId} has no mapping`);
  const stream = workspaceScoped(workspaceId, mappingDayOf(companyId, requestDate));
  const earlier = await commands.load(mappingDay, stream, ({ launches }) => idOf(launches.get(null)));
  const now = run.now();
  const day = { companyId, requestDate };
  const reserve = reserveMappings({
    ...day,
    wanted: [{ personaId: null, requestId, mappingId }],
    credits: 0n,
    identifier: request.identifier,
    passed: await failedBefore(run, request, earlier),
    now,
    leaseUntil: now,
  });
  const { answer } = await commands.handle(mappingDay, stream, reserveAndLaunch(reserve, day, requestId), {
    context: contextOf(request, 'launch'),
    waitForReadModels: false,
    answer: ({ launches }) => {
      const launch = launches.get(null);
      return launch?.requestId === requestId ? launch.mappingId : null;
    },
  });
  if (answer === null) throw new Error(`the mapping of request ${requestId} is another request's`);
  return answer;
}

const idOf = (launch: Pick<MappingLaunch, 'requestId'> | undefined): number | null =>
  launch?.requestId ?? null;

/** The previous request of that day, with the reason for its failure. */
async function failedBefore(
  { host }: PipelinesRun,
  { workspaceId, requestId }: AccountRequestDocument,
  earlier: number | null,
): Promise<ReadonlyMap<number, string>> {
  if (earlier === null || earlier === requestId) return new Map();
  const outcome = await host.commands.load(
    contentRequest,
    workspaceScoped(workspaceId, earlier),
    (request) => (isEnded(request) ? request.outcome : null),
  );
  return new Map(outcome === null || outcome === 'completed' ? [] : [[earlier, outcome]]);
}

/** The launch is free, so it is reserved and launched in the same append. */
const reserveAndLaunch =
  (
    reserve: MappingDayDecision,
    day: { readonly companyId: number; readonly requestDate: string },
    requestId: number,
  ): MappingDayDecision =>
  (state) => {
    const reserved = reserve(state);
    const launched = reserved.flatMap((event) =>
      event.type === 'MappingReserved' && event.data.requestId === requestId
        ? [
            {
              type: 'MappingLaunched' as const,
              data: { ...day, personaId: null, requestId, mappingId: event.data.mappingId, movementId: null },
            },
          ]
        : [],
    );
    // A launch reserved by an earlier attempt is launched too.
    return reserved.length > 0
      ? [...reserved, ...launched]
      : confirmMappings(day, new Map([[requestId, null]]))(state);
  };
