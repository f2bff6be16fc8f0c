import type { CommandContext } from '#kernel/commands/decider.js';
import { mappingDay } from '#accounts/domain/mappings/mapping-day.js';
import type { ProcessHost } from '#process-engine/process.js';
import { dayStream, type CompanyDay } from './company-day.js';
import { passedRequests } from './passed-requests.js';
import { isOfCall } from './reserve-launches.js';

/** The personas that a launch on this day would have to pay for, as far as that is known beforehand. */
export async function unlaunched(
  host: Pick<ProcessHost, 'commands'>,
  day: CompanyDay,
  personaIds: readonly number[],
): Promise<readonly number[]> {
  const passed = await passedRequests(host, day);
  return host.commands.load(mappingDay, dayStream(day), ({ launches }) =>
    personaIds.filter((personaId) => {
      const launch = launches.get(personaId);
      return launch === undefined || launch.status === 'open' || passed.has(launch.requestId);
    }),
  );
}

/** The personas that were launched on a day, and those of them that an earlier attempt of this call has launched. */
export const launchedOn = (
  { commands }: Pick<ProcessHost, 'commands'>,
  day: CompanyDay,
  context: CommandContext,
): Promise<{ readonly all: readonly number[]; readonly own: readonly number[] }> =>
  commands.load(mappingDay, dayStream(day), ({ launches }) => {
    const all = [...launches].flatMap(([personaId, { status, reservedBy }]) =>
      personaId === null || status !== 'launched' ? [] : [{ personaId, reservedBy }],
    );
    const own = all.filter(({ reservedBy }) => isOfCall({ context }, reservedBy));
    const idsOf = (some: typeof all): number[] => some.map(({ personaId }) => personaId);
    return { all: idsOf(all), own: idsOf(own) };
  });

/** Whether an earlier attempt of this call has a reservation on this day. */
export const hasReserved = (
  { commands }: Pick<ProcessHost, 'commands'>,
  day: CompanyDay,
  context: CommandContext,
): Promise<boolean> =>
  commands.load(mappingDay, dayStream(day), ({ launches }) =>
    [...launches.values()].some(({ reservedBy }) => isOfCall({ context }, reservedBy)),
  );
