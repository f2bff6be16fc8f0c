import type { JsonObject } from '#kernel/values/json.js';
import { fieldError, refusal } from '#kernel/values/refusal.js';
import { foreignParameters, noteBlankKeywords, parametersOf, type Faults } from './agent-parameters.js';
import { agentTypes, type AgentType, type AgentTypeRow } from './agent-types.js';

export const invalidAgent = refusal({
  code: 'invalid-agent',
  kind: 'unprocessable',
  detail: 'The agent is not valid.',
});

/** What a new agent is asked to be; everything has the right type, nothing is judged yet. */
export type AgentRequest = {
  readonly type: AgentType;
  readonly name: string | null;
  /** Keys as sent, those that nobody knows included. */
  readonly parameters: JsonObject;
  readonly watchlistKind?: 'company' | 'profile' | null | undefined;
  readonly watchlistId?: number | null | undefined;
  readonly weekly: boolean;
  /** Whether this version finds what agents of the type promise. */
  readonly isDetected: boolean;
};

/** An agent that may be created. */
export type AdmittedAgent = {
  readonly type: AgentType;
  readonly name: string;
  /** The declared parameters that were given. */
  readonly parameters: JsonObject;
};

/** The rules of OP-31 for a new agent, all faults at once. Throws `invalidAgent`. */
export function admitAgent(request: AgentRequest): AdmittedAgent {
  const { type, name, watchlistKind, watchlistId, weekly } = request;
  const row: AgentTypeRow = agentTypes[type];
  if (!request.isDetected) {
    throw invalidAgent({ errors: fieldError('type', 'is not detected by this version yet') });
  }
  const errors: Faults = new Map();
  // On creation null counts as not given (OP-71).
  const given = Object.fromEntries(Object.entries(request.parameters).filter(([, value]) => value !== null));
  for (const required of row.required)
    if (!Object.hasOwn(given, required)) errors.set(`parameters.${required}`, ['is required']);
  noteBlankKeywords(given['tracking_keywords'], errors);
  for (const foreign of foreignParameters(type, given)) {
    errors.set(`parameters.${foreign}`, [`is not a parameter of ${type} agents`]);
  }
  if (typeof watchlistId === 'number') errors.set('watchlist_id', [`${type} agents watch no list`]);
  // null only together with a null watchlist_id, as on a change
  else if (typeof watchlistKind === 'string' || (watchlistKind === null && watchlistId === undefined))
    errors.set('watchlist_kind', ['needs a watchlist_id']);
  if (weekly && !row.isSchedulable(given)) errors.set('schedule', [`${type} agents take no schedule`]);
  if (errors.size > 0) throw invalidAgent({ errors });
  const known = parametersOf(type).filter((key) => Object.hasOwn(given, key));
  return {
    type,
    name: name ?? row.label,
    parameters: Object.fromEntries(known.map((key) => [key, given[key]])),
  };
}
