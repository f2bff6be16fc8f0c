import { fromStored, type Credits } from '#kernel/values/credits.js';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { workspaceBlocked } from '#access/domain/workspaces/workspace.js';
import { askedBy, holdCharges, unpaidBecause, type PaidWork } from '#ledger/charging/charges.js';
import { settleCharges } from '#ledger/charging/settle-charges.js';
import {
  dropMappings,
  confirmMappings,
  mappingDay,
  type MappingLaunch,
} from '#accounts/domain/mappings/mapping-day.js';
import { chargeUnlessBlocked } from './charge-unless-blocked.js';
import { enrichmentCharge, enrichmentKey } from './enrichment-charge.js';
import { createRequest, dayStream } from './company-day.js';
import {
  isOfCall,
  reserveAttempt,
  type LaunchAttempt,
  type LaunchMappings,
  type MappingLaunchHost,
} from './reserve-launches.js';

/**
 * Attempts of one call. A reservation may be dropped early: by a process whose clock is ahead by more than the lease, between two
 * steps of the call.
 */
const MOST_ATTEMPTS = 5;

/** The result for one persona. */
export type PersonaLaunch = {
  readonly personaId: number;
  readonly requestId: number;
  readonly status: 'launched' | 'already_requested';
  readonly credits: Credits;
};

/**
 * Launches the mapping of a company for the personas that were not launched that day, all or none (OP-56). A reservation
 * decides which caller launches; then the credits of all are held, the launches are confirmed and their requests are
 * created. After a kill in between, the next caller, or the process of open reservations, completes the paid launches
 * and drops the others. A call whose reservations were dropped that way makes new ones. Throws `insufficientCredits`,
 * `capReached` and `workspaceBlocked`: nothing is launched or held.
 */
export async function launchMappings(
  host: MappingLaunchHost,
  input: LaunchMappings,
): Promise<readonly PersonaLaunch[]> {
  const launches = await launched(host, input);
  const isOwn = ({ reservedBy }: MappingLaunch): boolean => isOfCall(input, reservedBy);
  return input.personaIds.map((personaId) => {
    const launch = launches.get(personaId);
    if (launch === undefined)
      throw new Error(`persona ${personaId} was neither launched nor requested before`);
    const { requestId } = launch;
    return isOwn(launch)
      ? { personaId, requestId, status: 'launched', credits: fromStored(launch.credits) }
      : { personaId, requestId, status: 'already_requested', credits: 0n };
  });
}

/** The launches of the requested personas, after those of this call are confirmed and their requests created. */
async function launched(
  host: MappingLaunchHost,
  input: LaunchMappings,
): Promise<ReadonlyMap<number, MappingLaunch>> {
  let from = 1;
  for (let tries = 0; tries < MOST_ATTEMPTS; tries += 1) {
    const { launches, attempt, number } = await reserveAttempt(host, input, from);
    const own = [...launches]
      .filter(([, { reservedBy }]) => isOfCall(input, reservedBy))
      .toSorted(([, one], [, other]) => one.requestId - other.requestId);
    if (own.length === 0 || (await confirmAndCreate(host, input, attempt, new Map(own)))) return launches;
    from = number + 1;
  }
  throw new StoreUnavailable('the launch took too long and was given up');
}

/**
 * Pays and confirms the own launches, unless an earlier attempt did, and creates their requests, the lowest request id
 * first: a worker begins with the request that was created first. False if the attempt was dropped meanwhile.
 */
async function confirmAndCreate(
  host: MappingLaunchHost,
  input: LaunchMappings,
  attempt: LaunchAttempt,
  own: ReadonlyMap<number, MappingLaunch>,
): Promise<boolean> {
  const isConfirmed = [...own.values()].every(({ status }) => status === 'launched');
  const movements = isConfirmed
    ? new Map([...own.values()].map(({ requestId, movementId }) => [requestId, movementId]))
    : await payAndConfirm(host, input, attempt, own);
  if (movements === null) return false;
  for (const [index, [personaId, launch]] of [...own].entries()) {
    const movementId = movements.get(launch.requestId) ?? null;
    const request = { personaId, ...launch, movementId };
    const waitForReadModels = index === own.size - 1;
    await createRequest(host.commands, input, request, attempt('create'), { waitForReadModels });
  }
  return true;
}

/**
 * Holds the price of the own launches, all or nothing, and confirms them. Returns the movement of each request; null if the
 * attempt was dropped meanwhile: nothing is launched or held.
 */
async function payAndConfirm(
  host: MappingLaunchHost,
  input: LaunchMappings,
  attempt: LaunchAttempt,
  own: ReadonlyMap<number, MappingLaunch>,
): Promise<ReadonlyMap<number, number | null> | null> {
  const { workspaceId, companyId } = input;
  const { keyId = null } = askedBy(input.context);
  const work: PaidWork = { workspaceId, context: attempt };
  const charges = [...own].map(([personaId, { requestId, credits }]) =>
    enrichmentCharge(fromStored(credits), { requestId, companyId, personaId, keyId }),
  );
  const requestIds = new Set([...own.values()].map(({ requestId }) => requestId));
  const send = (decision: ReturnType<typeof dropMappings>, step: string) =>
    host.commands.handle(mappingDay, dayStream(input), decision, {
      context: attempt(step),
      waitForReadModels: false,
      answer: (day) =>
        [...own].every(([personaId, { requestId }]) => {
          const launch = day.launches.get(personaId);
          return launch?.status === 'launched' && launch.requestId === requestId;
        }),
    });
  const payments = await chargeUnlessBlocked(host, work, (prepared) =>
    holdCharges(host, prepared, 'hold', charges, 'all'),
  ).catch(async (error: unknown) => {
    if (unpaidBecause(error) !== null)
      await send(dropMappings(input, requestIds, 'insufficient_credits'), 'drop');
    throw error;
  });
  if (payments === 'blocked') {
    await send(dropMappings(input, requestIds, 'not_confirmed'), 'drop');
    throw workspaceBlocked();
  }
  const { paid } = payments;
  const movements = new Map([...requestIds].map((id) => [id, paid.get(enrichmentKey(id)) ?? null]));
  const isPaid = [...requestIds].every((id) => paid.has(enrichmentKey(id)));
  const { answer: isLaunched } = await send(
    isPaid ? confirmMappings(input, movements) : dropMappings(input, requestIds, 'not_confirmed'),
    'confirm',
  );
  if (!isLaunched) {
    // Another process considered this attempt lost: nothing was launched, so its holds are released.
    const release = [...requestIds].map((id) => ({ key: enrichmentKey(id) }));
    await settleCharges(host, work, 'give-back', { capture: [], release, reason: 'not launched' });
    return null;
  }
  return movements;
}
