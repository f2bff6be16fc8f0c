import type { JsonObject } from '#kernel/json.js';
import { fieldError, refusal } from '#kernel/refusal.js';
import { fold } from '#kernel/text-folding.js';
import { DETECTED_AGENT_TYPES, type AgentType, type DetectedAgentType } from './agent.events.js';

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
  readonly watchlistKind: 'company' | 'profile' | null;
  readonly watchlistId: number | null;
};

/** An agent that may be created. */
export type AdmittedAgent = {
  readonly type: DetectedAgentType;
  readonly name: string;
  /** The declared parameters that were given. */
  readonly parameters: JsonObject;
};

/** Parameters that other types know: a keyword agent with one of them is a mistake, not a wish to ignore. */
const FOREIGN_PARAMETERS = [
  'mode',
  'target_group',
  'job_titles',
  'seniority_levels',
  'company_domains_to_scrape',
  'target_persona',
  'target_persona_locations',
  'interested_by',
  'keywords_for_social_detection',
  'author_roles',
  'author_industries',
  'target_network_profiles',
] as const;
const PARAMETERS = ['tracking_keywords', 'start_date', 'max_posts_to_scrape'] as const;

/** The rules of OP-31 for a new agent, all faults at once. Throws `invalidAgent`. */
export function admitAgent(request: AgentRequest): AdmittedAgent {
  const { parameters } = request;
  const type = DETECTED_AGENT_TYPES.find((detected) => detected === request.type);
  if (type === undefined) {
    throw invalidAgent({ errors: fieldError('type', 'is not detected by this version yet') });
  }
  const errors = new Map<string, readonly string[]>();
  const keywords = parameters['tracking_keywords'];
  if (!Array.isArray(keywords)) errors.set('parameters.tracking_keywords', ['is required']);
  else {
    // What folds to nothing would never match anything (OP-69).
    for (const [place, keyword] of keywords.entries()) {
      if (typeof keyword !== 'string' || fold(keyword) === '')
        errors.set(`parameters.tracking_keywords.${place}`, ['must not be empty']);
    }
  }
  for (const foreign of FOREIGN_PARAMETERS.filter((key) => (parameters[key] ?? null) !== null)) {
    errors.set(`parameters.${foreign}`, [`is not a parameter of ${type} agents`]);
  }
  if (request.watchlistId !== null) errors.set('watchlist_id', [`${type} agents watch no list`]);
  else if (request.watchlistKind !== null) errors.set('watchlist_kind', ['needs a watchlist_id']);
  if (errors.size > 0) throw invalidAgent({ errors });
  const given = PARAMETERS.filter((key) => (parameters[key] ?? null) !== null);
  return {
    type,
    name: request.name ?? LABELS[type],
    parameters: Object.fromEntries(given.map((key) => [key, parameters[key]])),
  };
}

const LABELS: { readonly [Type in DetectedAgentType]: string } = {
  keyword_post_search: 'Keyword post search',
};
