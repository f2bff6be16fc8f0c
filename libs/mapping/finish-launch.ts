import type { Commands } from '#kernel/commands/commands.js';
import type { CommandContext } from '#kernel/commands/decider.js';
import { creditAccount } from '#domain/credits/credit-account.js';
import { dropMappings, launchMappings, mappingDay, type MappingDay } from '#domain/mappings/mapping-day.js';
import { createRequest, dayStream, type CompanyDay } from './company-day.js';
import { enrichmentKey } from './enrichment-charge.js';

type Reservation = CompanyDay & { readonly requestId: number; readonly context: CommandContext };

/**
 * Brings a reservation to its end whose maker is lost: with its hold it is launched, and its request created; without
 * one it is dropped. Again: nothing is left to do.
 */
export async function finishLaunch(
  { commands }: { readonly commands: Commands },
  reservation: Reservation,
): Promise<void> {
  const { workspaceId, requestId, context } = reservation;
  const stream = dayStream(reservation);
  const found = await commands.load(mappingDay, stream, (day) => launchOf(day, requestId));
  if (found === null || found.status === 'open') return;
  if (found.status === 'launched')
    return createRequest(commands, reservation, found, stepOf(context, requestId, 'create'));
  const held = found.credits === '0' ? null : await heldFor(commands, workspaceId, requestId);
  const decision =
    held === 'nothing'
      ? dropMappings(reservation, new Set([requestId]), 'not_confirmed')
      : launchMappings(reservation, new Map([[requestId, held]]));
  const { answer: ended } = await commands.handle(mappingDay, stream, decision, {
    context: stepOf(context, requestId, 'finish'),
    waitForReadModels: false,
    answer: (day) => launchOf(day, requestId),
  });
  if (ended?.status !== 'launched') return;
  await createRequest(commands, reservation, ended, stepOf(context, requestId, 'create'));
}

const stepOf = (context: CommandContext, requestId: number, step: string): CommandContext => ({
  ...context,
  commandId: `${context.commandId}:${requestId}:${step}`,
});

function launchOf({ launches }: Pick<MappingDay, 'launches'>, requestId: number) {
  const found = [...launches].find(([, launch]) => launch.requestId === requestId);
  return found === undefined ? null : { ...found[1], personaId: found[0] };
}

/** The movement that is held for a launch. */
function heldFor(commands: Commands, workspaceId: number, requestId: number): Promise<number | 'nothing'> {
  const key = enrichmentKey(requestId);
  return commands.load(creditAccount, String(workspaceId), ({ books }) => {
    const hold = [...books.openHolds.values()].find((open) => open.key === key);
    return hold?.movementId ?? 'nothing';
  });
}
