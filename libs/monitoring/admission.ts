import type { RefusalDetails } from '#kernel/values/refusal.js';
import type { ProcessHost } from '#process-engine/process.js';
import { priceNotAvailable } from './domain/monitoring-admission.js';
import { personaIncomplete } from '#lists/domain/personas/persona-choice.js';
import { businessUnitsOf } from './business-units.js';
import { monthPrice } from './month-price.js';

/** The refusals of `requireMonitorable`, for the documentation of endpoints. */
export const admissionProblems = [personaIncomplete, priceNotAvailable];

/**
 * Checks that a caller may have accounts monitored for these business units, or for all active ones if none is named.
 * Throws `personaIncomplete` if no business unit can be charged, and `priceNotAvailable` (OP-27, OP-28).
 */
export async function requireMonitorable(
  host: Pick<ProcessHost, 'commands' | 'readModels'>,
  workspaceId: number,
  personaIds: readonly number[],
): Promise<void> {
  const active = await businessUnitsOf(host.commands, workspaceId);
  const units = personaIds.length === 0 ? active : personaIds.filter((id) => active.includes(id));
  if (units.length === 0) throw noActivePersona();
  if ((await monthPrice(host, workspaceId)) === null) throw priceNotAvailable();
}

/** The refusal of a workspace without a business unit that could be charged for monitoring. */
export const noActivePersona = (errors: RefusalDetails['errors'] = new Map()): Error =>
  personaIncomplete({
    detail: 'There is no active persona for which accounts could be monitored.',
    errors,
  });
