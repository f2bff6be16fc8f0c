import { withoutNulls, type JsonObject } from '#kernel/values/json.js';
import type { Credits } from '#kernel/values/credits.js';
import { fieldError, refusal } from '#kernel/values/refusal.js';
import { noteBindingFaults, type WatchableList } from './agent-binding.js';
import {
  declaredParameters,
  unsupportedParameters,
  noteBlankKeywords,
  noteCompetitorChoices,
  type ParameterFaults,
} from './agent-parameters.js';
import type { AgentType } from '#catalogue/domain/prices/agent-prices.js';
import { agentTypeOf, agentTypes, WITHOUT_TYPE, type AgentTypeRow } from './agent-types.js';
import { noteLimitFault, scheduleFault } from './agent-schedule.js';
import type { WantedSchedule } from '#signals/domain/schedules/schedule-facts.js';
import type { Watchlist } from './agent.js';

export const invalidAgent = refusal({
  code: 'invalid-agent',
  kind: 'unprocessable',
  detail: 'The agent is not valid.',
});

/** The requested new agent; the types of all members are checked, the rules are not. */
export type AgentRequest = {
  readonly type: AgentType;
  readonly name: string | null;
  /** Keys as sent, including unknown ones. */
  readonly parameters: JsonObject;
  readonly watchlistKind?: 'company' | 'profile' | null | undefined;
  readonly watchlistId?: number | null | undefined;
  /** The workspace's list that `watchlistId` names; null if there is none. */
  readonly list: WatchableList | null;
  /** null: no schedule. */
  readonly schedule: WantedSchedule | null;
  /** The current price of one signal of an agent type; null: no price yet. */
  readonly priceOf: (type: string) => Credits | null;
  /** Whether this version detects the signals of the type. */
  readonly isDetected: boolean;
  /**
   * True for an agent of an earlier system: it may lack any parameter, and keeps parameters that are otherwise only
   * taken by a change.
   */
  readonly isLegacy?: boolean;
};

/** An agent that may be created. */
export type AdmittedAgent = {
  readonly type: AgentType;
  readonly name: string;
  /** The declared parameters in the request. */
  readonly parameters: JsonObject;
  readonly watchlist: Watchlist | null;
};

/** Checks the rules of OP-31 for a new agent and collects all faults. Throws `invalidAgent`. */
export function admitAgent(request: AgentRequest): AdmittedAgent {
  const { type, name, list, watchlistId } = request;
  const row: AgentTypeRow = agentTypes[type];
  if (!request.isDetected) {
    throw invalidAgent({ errors: fieldError('type', 'is not detected by this version yet') });
  }
  // At creation null counts as absent (OP-71).
  const given = withoutNulls(request.parameters);
  const errors: ParameterFaults = new Map();
  noteParameterFaults(request, given, errors);
  // An agent created without a type gets its type from a list later.
  if (type === WITHOUT_TYPE && typeof watchlistId === 'number')
    errors.set('watchlist_id', [`${type} agents are created without a list`]);
  else noteBindingFaults({ type, watchlist: null }, request, errors);
  const isBound = list !== null && typeof watchlistId === 'number';
  if (request.schedule !== null) {
    const unscheduled = scheduleFault(type, given, isBound);
    if (unscheduled !== null) errors.set('schedule', [unscheduled]);
    else noteLimitFault(request.schedule, request.priceOf(type), errors);
  }
  if (errors.size > 0) throw invalidAgent({ errors });
  return {
    type,
    name: name ?? row.label,
    parameters: declaredParameters(type, given),
    watchlist: isBound ? { id: watchlistId, kind: list.kind } : null,
  };
}

/**
 * Parameters of a request that an agent of this type drops: its type depends on its list, and without a list it is
 * unconfigured (OP-31).
 */
export const droppedWithoutList = (type: string, parameters: JsonObject): readonly string[] =>
  agentTypeOf(type)?.list?.givesType === true
    ? Object.keys(withoutNulls(declaredParameters(type, parameters)))
    : [];

function noteParameterFaults(
  { type, isLegacy = false }: Pick<AgentRequest, 'type' | 'isLegacy'>,
  given: JsonObject,
  errors: ParameterFaults,
): void {
  const row: AgentTypeRow = agentTypes[type];
  for (const required of row.required)
    if (!isLegacy && !Object.hasOwn(given, required)) errors.set(`parameters.${required}`, ['is required']);
  noteBlankKeywords(given['tracking_keywords'], errors);
  noteCompetitorChoices(given, errors);
  for (const unsupported of unsupportedParameters(type, given))
    errors.set(`parameters.${unsupported}`, [`is not a parameter of ${type} agents`]);
  if (row.takesParametersAtCreation || isLegacy) return;
  for (const key of Object.keys(given))
    if (!errors.has(`parameters.${key}`))
      errors.set(`parameters.${key}`, [`is not taken when a ${type} agent is created`]);
}
