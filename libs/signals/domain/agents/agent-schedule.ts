import type { JsonObject } from '#kernel/values/json.js';
import type { Credits } from '#kernel/values/credits.js';
import { belowPriceFault } from '#signals/domain/launches/limit-facts.js';
import type { WantedSchedule } from '#signals/domain/schedules/schedule-facts.js';
import type { ParameterFaults } from './agent-parameters.js';
import { agentTypeOf, MODES, WITHOUT_TYPE } from './agent-types.js';

/**
 * Why an agent of this type takes no weekly schedule, with the change that would allow one; null if it takes one.
 * `type` is the requested type: an agent whose type depends on its list has it once it is bound.
 */
export function scheduleFault(type: string, parameters: JsonObject, isBound: boolean): string | null {
  const row = agentTypeOf(type);
  if (row === null) return `${type} agents take no schedule`;
  const modes = MODES.filter((mode) => row.isSchedulable({ mode }));
  if (modes.length === 0)
    return type === WITHOUT_TYPE
      ? 'unconfigured agents take no schedule; a list gives the agent its type'
      : `${type} agents take no schedule`;
  if (row.list?.givesType === true && !isBound)
    return `needs a list of type ${row.list.type}: send watchlist_id`;
  if (row.isSchedulable(parameters)) return null;
  return `needs parameters.mode ${modes.join(' or ')}`;
}

/**
 * Adds a fault if the limit of each launch does not cover one signal (QUO-02). `price` is that of one signal; null:
 * none yet.
 */
export function noteLimitFault(
  { maxCredits }: WantedSchedule,
  price: Credits | null,
  faults: ParameterFaults,
): void {
  const fault = belowPriceFault(maxCredits, price);
  if (fault !== null) faults.set('schedule.max_credits', [fault]);
}
