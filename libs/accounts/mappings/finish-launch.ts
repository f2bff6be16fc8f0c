import type { Commands } from '#kernel/commands/commands.js';
import { contextOfStep, type CommandContext } from '#kernel/commands/decider.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import {
  dropMappings,
  confirmMappings,
  mappingDay,
  type MappingDay,
  type MappingLaunch,
} from '#accounts/domain/mappings/mapping-day.js';
import { createRequest, dayStream, type CompanyDay } from './company-day.js';

type Reservation = CompanyDay & { readonly requestId: number; readonly context: CommandContext };

/**
 * Completes the reservations of a lost call: if each has its hold all are launched, and their requests created;
 * otherwise all are dropped (OP-56). Idempotent.
 */
export async function finishLaunch(
  { commands }: { readonly commands: Commands },
  reservation: Reservation,
): Promise<void> {
  const { requestId, context } = reservation;
  const stream = dayStream(reservation);
  const found = await commands.load(mappingDay, stream, (day) => callOf(day, requestId));
  const reserved = found.filter(({ status }) => status === 'reserved');
  const launched =
    reserved.length === 0
      ? found.filter((launch) => launch.requestId === requestId)
      : await end(commands, reservation, reserved);
  for (const launch of launched) {
    if (launch.status !== 'launched') continue;
    const create = { ...contextOfStep(context, `${launch.requestId}:create`), actor: callerOf(launch) };
    await createRequest(commands, reservation, launch, create);
  }
}

/**
 * Who made the lost call. The request belongs to that caller, not to the one that completes it: the profiles count for the
 * cap of the caller's key (CAP-02).
 */
const callerOf = ({ keyId }: CallLaunch): CommandContext['actor'] =>
  keyId === null ? { kind: 'process', id: 'finish-launch' } : { kind: 'apiKey', id: String(keyId) };

/** Launches or drops all of these reservations in one command; returns the launches of the call after it. */
async function end(
  commands: Commands,
  reservation: Reservation,
  reserved: readonly CallLaunch[],
): Promise<readonly CallLaunch[]> {
  const { workspaceId, requestId, context } = reservation;
  const movements = await heldFor(commands, workspaceId, reserved);
  const decision =
    movements === null
      ? dropMappings(reservation, new Set(reserved.map((launch) => launch.requestId)), 'not_confirmed')
      : confirmMappings(reservation, movements);
  const { answer } = await commands.handle(mappingDay, dayStream(reservation), decision, {
    context: contextOfStep(context, `${requestId}:finish`),
    waitForReadModels: false,
    answer: (day) => callOf(day, requestId),
  });
  return answer;
}

type CallLaunch = MappingLaunch & { readonly personaId: number | null };

/** The launches that the call of this request reserved, in the order of their requests. */
function callOf({ launches }: Pick<MappingDay, 'launches'>, requestId: number): readonly CallLaunch[] {
  const all = [...launches].map(([personaId, launch]) => ({ ...launch, personaId }));
  const reservedBy = all.find((launch) => launch.requestId === requestId)?.reservedBy;
  return all
    .filter((launch) => launch.reservedBy === reservedBy)
    .toSorted((one, other) => one.requestId - other.requestId);
}

/** The movements held for launches, null for a free one; null if one that is not free has none. */
async function heldFor(
  commands: Commands,
  workspaceId: number,
  launches: readonly CallLaunch[],
): Promise<ReadonlyMap<number, number | null> | null> {
  const held = await commands.load(creditAccount, String(workspaceId), ({ books }) =>
    launches.map(({ requestId }) => {
      const hold = [...books.openHolds.values()].find(
        ({ cause }) => cause.kind === 'enrichment' && cause.requestId === requestId,
      );
      return hold?.movementId ?? null;
    }),
  );
  const isPaid = launches.every(({ credits }, index) => credits === '0' || (held[index] ?? null) !== null);
  return isPaid ? new Map(launches.map(({ requestId }, index) => [requestId, held[index] ?? null])) : null;
}
