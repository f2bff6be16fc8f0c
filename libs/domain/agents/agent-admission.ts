import type { JsonObject } from '#kernel/values/json.js';
import { fieldError, refusal } from '#kernel/values/refusal.js';
import { foreignParameters, noteBlankKeywords, parametersOf, type Faults } from './agent-parameters.js';
import { isSchedulable, type AgentType } from './agent.events.js';

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
};

/** An agent that may be created. */
export type AdmittedAgent = {
  readonly type: NewAgentType;
  readonly name: string;
  /** The declared parameters that were given. */
  readonly parameters: JsonObject;
};

/** What an agent can be created as, with the name it gets: what this version detects, or nothing yet. */
const LABELS = {
  keyword_detection: 'Keyword detection',
  keyword_post_search: 'Keyword post search',
  job_posting_keyword_detection: 'Job posting keyword detection',
  unconfigured: 'Unconfigured',
} as const;
export type NewAgentType = keyof typeof LABELS;

const isNewAgentType = (type: string): type is NewAgentType => Object.hasOwn(LABELS, type);

/** The rules of OP-31 for a new agent, all faults at once. Throws `invalidAgent`. */
export function admitAgent(request: AgentRequest): AdmittedAgent {
  const { type, name, watchlistKind, watchlistId, weekly } = request;
  if (!isNewAgentType(type)) {
    throw invalidAgent({ errors: fieldError('type', 'is not detected by this version yet') });
  }
  const errors: Faults = new Map();
  // On creation null counts as not given (OP-71).
  const given = Object.fromEntries(Object.entries(request.parameters).filter(([, value]) => value !== null));
  if (parametersOf(type).includes('tracking_keywords') && !Array.isArray(given['tracking_keywords']))
    errors.set('parameters.tracking_keywords', ['is required']);
  noteBlankKeywords(given['tracking_keywords'], errors);
  for (const foreign of foreignParameters(type, given)) {
    errors.set(`parameters.${foreign}`, [`is not a parameter of ${type} agents`]);
  }
  if (typeof watchlistId === 'number') errors.set('watchlist_id', [`${type} agents watch no list`]);
  // null only together with a null watchlist_id, as on a change
  else if (typeof watchlistKind === 'string' || (watchlistKind === null && watchlistId === undefined))
    errors.set('watchlist_kind', ['needs a watchlist_id']);
  if (weekly && !isSchedulable(type, given)) errors.set('schedule', [`${type} agents take no schedule`]);
  if (errors.size > 0) throw invalidAgent({ errors });
  const known = parametersOf(type).filter((key) => Object.hasOwn(given, key));
  return {
    type,
    name: name ?? LABELS[type],
    parameters: Object.fromEntries(known.map((key) => [key, given[key]])),
  };
}
