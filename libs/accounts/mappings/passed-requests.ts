import { workspaceScoped } from '#kernel/commands/decider.js';
import { contentRequest, isEnded } from '#accounts/domain/content-requests/content-request.js';
import { mappingDay } from '#accounts/domain/mappings/mapping-day.js';
import type { ProcessHost } from '#process-engine/process.js';
import { dayStream, type CompanyDay } from './company-day.js';

/** Temporary reasons: such a request may be launched again on the same day. */
const PASSING: ReadonlySet<string> = new Set([
  'insufficient_credits',
  'request_timed_out',
  'internal_error',
  // Only personas with titles are launched, so this one has got titles since.
  'persona_without_job_titles',
]);

/** Launched requests of the day that failed for a temporary reason, with the reason. */
export async function passedRequests(
  { commands }: Pick<ProcessHost, 'commands'>,
  input: CompanyDay,
): Promise<ReadonlyMap<number, string>> {
  const launched = await commands.load(mappingDay, dayStream(input), ({ launches }) =>
    [...launches.values()].flatMap(({ status, requestId }) => (status === 'launched' ? [requestId] : [])),
  );
  const ends = await Promise.all(
    launched.map((requestId) =>
      commands.load(contentRequest, workspaceScoped(input.workspaceId, requestId), (request) =>
        isEnded(request) ? request.outcome : null,
      ),
    ),
  );
  return new Map(
    launched.flatMap((requestId, index) => {
      const outcome = ends[index] ?? null;
      return outcome !== null && PASSING.has(outcome) ? [[requestId, outcome] as const] : [];
    }),
  );
}
