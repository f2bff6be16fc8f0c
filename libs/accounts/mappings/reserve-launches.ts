import type { Credits } from '#kernel/values/credits.js';
import { contextOfStep, type CommandContext } from '#kernel/commands/decider.js';
import { allocatedId } from '#kernel/commands/ids.js';
import { pause } from '#kernel/commands/retry.js';
import {
  mappingDay,
  reserveMappings,
  type MappingLaunch,
  type WantedLaunch,
} from '#accounts/domain/mappings/mapping-day.js';
import type { ProcessHost } from '#process-engine/process.js';
import { dayStream } from './company-day.js';
import { finishLaunch } from './finish-launch.js';
import { passedRequests } from './passed-requests.js';

/** What launching needs; the API and the processes have it. */
export type MappingLaunchHost = Pick<ProcessHost, 'commands' | 'ids' | 'clock'>;

/** The lease of a reservation: longer than a launch takes. */
const LEASE_MS = 10_000;
const LOOK_EVERY_MS = 20;

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

/** The command context of a step, in one attempt of a call. */
export type LaunchAttempt = (step: string) => CommandContext;

/**
 * The reservations of the call. The steps of a dropped attempt cannot run again, so a repetition of the call is the next
 * attempt and makes new reservations. `from`: the first attempt that is not known to be dropped.
 */
export async function reserveAttempt(
  host: MappingLaunchHost,
  input: LaunchMappings,
  from: number,
): Promise<{
  readonly launches: ReadonlyMap<number, MappingLaunch>;
  readonly attempt: LaunchAttempt;
  readonly number: number;
}> {
  for (let number = from; ; number += 1) {
    // Every step of a launch is a separate command, so that a repeated step is idempotent.
    const attempt: LaunchAttempt = (step) =>
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
export const isOfCall = (call: Pick<LaunchMappings, 'context'>, reservedBy: string): boolean => {
  const { commandId } = contextOfStep(call.context, 'reserve');
  return reservedBy === commandId || reservedBy.startsWith(`${commandId}-`);
};

/**
 * The launches of all requested personas: own ones and existing ones, none of them still reserved by another call.
 */
async function reserve(
  host: MappingLaunchHost,
  input: LaunchMappings,
  attempt: LaunchAttempt,
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
