import { fromStored, type Credits } from '#kernel/values/credits.js';
import { contextOfStep, workspaceScoped, type CommandContext } from '#kernel/commands/decider.js';
import { allocatedId } from '#kernel/commands/ids.js';
import { pause } from '#kernel/commands/retry.js';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { workspaceBlocked } from '#access/domain/workspaces/workspace.js';
import { askedBy, holdCharges, unpaidBecause, type PaidWork } from '#ledger/charging/charges.js';
import { settleCharges } from '#ledger/charging/settle-charges.js';
import { contentRequest, isEnded } from '#accounts/domain/content-requests/content-request.js';
import {
  dropMappings,
  confirmMappings,
  mappingDay,
  reserveMappings,
  type MappingLaunch,
  type WantedLaunch,
} from '#accounts/domain/mappings/mapping-day.js';
import type { ProcessHost } from '#process-engine/process.js';
import { chargeUnlessBlocked } from './charge-unless-blocked.js';
import { enrichmentCharge, enrichmentKey } from './enrichment-charge.js';
import { finishLaunch } from './finish-launch.js';
import { createRequest, dayStream, type CompanyDay } from './company-day.js';

/** What launching needs; the API and the processes have it. */
export type MappingLaunchHost = Pick<ProcessHost, 'commands' | 'ids' | 'clock'>;

/** The lease of a reservation: longer than a launch takes. */
const LEASE_MS = 10_000;
const LOOK_EVERY_MS = 20;
/**
 * Attempts of one call. A reservation may be dropped early: by a process whose clock is ahead by more than the lease, between two
 * steps of the call.
 */
const MOST_ATTEMPTS = 5;

export type LaunchMappings = {
  readonly workspaceId: number;
  readonly companyId: number;
  readonly requestDate: string;
  /** The company as the caller named it. */
  readonly identifier: string;
  readonly personaIds: readonly number[];
  /** The price of one launch; 0 if nothing is held for it. */
  readonly credits: Credits;
  readonly context: CommandContext;
};

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

/** The command context of a step, in one attempt of a call. */
type Attempt = (step: string) => CommandContext;

/**
 * The reservations of the call. The steps of a dropped attempt cannot run again, so a repetition of the call is the next
 * attempt and makes new reservations. `from`: the first attempt that is not known to be dropped.
 */
async function reserveAttempt(
  host: MappingLaunchHost,
  input: LaunchMappings,
  from: number,
): Promise<{
  readonly launches: ReadonlyMap<number, MappingLaunch>;
  readonly attempt: Attempt;
  readonly number: number;
}> {
  for (let number = from; ; number += 1) {
    // Every step of a launch is a separate command, so that a repeated step is idempotent.
    const attempt: Attempt = (step) =>
      contextOfStep(input.context, number === 1 ? step : `${step}-${number}`);
    const [{ commandId }, count] = [attempt('reserve'), input.personaIds.length];
    const [requestIds, mappingIds] = await Promise.all([
      host.ids.nextMany('contentRequest', count, commandId),
      host.ids.nextMany('mapping', count, commandId),
    ]);
    const wanted = input.personaIds.map((personaId, index) => ({
      personaId,
      requestId: allocatedId(requestIds, index),
      mappingId: allocatedId(mappingIds, index),
    }));
    const launches = await reserve(host, input, attempt, wanted);
    // Also by a later attempt, if this is a repetition: each attempt has holds of its own.
    const isGivenUp = ({ status, reservedBy }: MappingLaunch): boolean =>
      status === 'open' && isOfCall(input, reservedBy);
    if (![...launches.values()].some(isGivenUp)) return { launches, attempt, number };
  }
}

/** Whether this call made a reservation, in any attempt. */
const isOfCall = (call: Pick<LaunchMappings, 'context'>, reservedBy: string): boolean => {
  const { commandId } = contextOfStep(call.context, 'reserve');
  return reservedBy === commandId || reservedBy.startsWith(`${commandId}-`);
};

/**
 * The launches of all requested personas: own ones and existing ones, none of them still reserved by another call.
 */
async function reserve(
  host: MappingLaunchHost,
  input: LaunchMappings,
  attempt: Attempt,
  wanted: readonly WantedLaunch[],
): Promise<ReadonlyMap<number, MappingLaunch>> {
  const stream = dayStream(input);
  const lost = new Map<number, number>();
  for (;;) {
    const now = host.clock.now();
    const passed = await passedRequests(host, input);
    const decision = reserveMappings({
      ...input,
      wanted,
      passed,
      now: now.toISOString(),
      leaseUntil: new Date(now.getTime() + LEASE_MS).toISOString(),
    });
    const context = attempt('reserve');
    const { answer: found } = await host.commands.handle(mappingDay, stream, decision, {
      context,
      waitForReadModels: false,
      answer: (day) =>
        wanted.flatMap(({ personaId }) => {
          const launch = day.launches.get(personaId);
          return personaId === null || launch === undefined ? [] : [[personaId, launch] as const];
        }),
    });
    const others = found.filter(
      ([, { status, reservedBy }]) => status === 'reserved' && reservedBy !== context.commandId,
    );
    if (others.length === 0) return new Map(found);
    await pause(LOOK_EVERY_MS);
    for (const [, { requestId }] of others) {
      // The lease of that reservation has expired: it is completed here.
      const since = lost.get(requestId) ?? performance.now();
      lost.set(requestId, since);
      if (performance.now() - since > LEASE_MS) await finishLaunch(host, { ...input, requestId });
    }
  }
}

/** Temporary reasons: such a request may be launched again on the same day. */
const PASSING: ReadonlySet<string> = new Set([
  'insufficient_credits',
  'request_timed_out',
  'internal_error',
  // Only personas with titles are launched, so this one has got titles since.
  'persona_without_job_titles',
]);

/** Launched requests of the day that failed for a temporary reason, with the reason. */
async function passedRequests(
  { commands }: Pick<MappingLaunchHost, 'commands'>,
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

/**
 * Pays and confirms the own launches, unless an earlier attempt did, and creates their requests, the lowest request id
 * first: a worker begins with the request that was created first. False if the attempt was dropped meanwhile.
 */
async function confirmAndCreate(
  host: MappingLaunchHost,
  input: LaunchMappings,
  attempt: Attempt,
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
  attempt: Attempt,
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

/** The personas that a launch on this day would have to pay for, as far as that is known beforehand. */
export async function unlaunched(
  host: Pick<MappingLaunchHost, 'commands'>,
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
  { commands }: Pick<MappingLaunchHost, 'commands'>,
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
  { commands }: Pick<MappingLaunchHost, 'commands'>,
  day: CompanyDay,
  context: CommandContext,
): Promise<boolean> =>
  commands.load(mappingDay, dayStream(day), ({ launches }) =>
    [...launches.values()].some(({ reservedBy }) => isOfCall({ context }, reservedBy)),
  );
