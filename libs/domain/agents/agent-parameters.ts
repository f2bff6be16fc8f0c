import type { JsonObject } from '#kernel/values/json.js';
import { fold } from '#kernel/values/text-folding.js';
import { TARGET_GROUPS } from './target-persona.js';

/** Parameters by agent type; a type that is not named has none. */
const PARAMETERS_OF: { readonly [type: string]: readonly string[] } = {
  keyword_detection: ['tracking_keywords', 'start_date', 'max_posts_to_scrape'],
  keyword_post_search: ['tracking_keywords', 'start_date', 'max_posts_to_scrape'],
  job_posting_keyword_detection: ['tracking_keywords', 'max_posts_to_scrape'],
  job_update: [
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
  ],
  champion_tracking: [
    'company_domains_to_scrape',
    'target_persona',
    'target_persona_locations',
    'interested_by',
    'author_roles',
    'author_industries',
    'target_network_profiles',
  ],
  competitor: ['mode', 'target_group'],
};
const KNOWN_PARAMETERS = [...new Set(Object.values(PARAMETERS_OF).flat())];

export const MODES = ['lead_discovery', 'account_monitoring', 'all'] as const;

/** Messages by field. */
export type Faults = Map<string, readonly string[]>;

export const parametersOf = (type: string): readonly string[] =>
  Object.hasOwn(PARAMETERS_OF, type) ? (PARAMETERS_OF[type] ?? []) : [];

/** Keys that some type knows and this one does not; what nobody knows is no fault (OP-33). */
export const foreignParameters = (type: string, parameters: JsonObject): readonly string[] =>
  KNOWN_PARAMETERS.filter((key) => Object.hasOwn(parameters, key) && !parametersOf(type).includes(key));

/** Notes the keywords that could never match: what folds to nothing is blank (OP-69). */
export function noteBlankKeywords(keywords: unknown, faults: Faults): void {
  if (!Array.isArray(keywords)) return;
  const field = 'parameters.tracking_keywords';
  const blank = [...keywords.entries()].flatMap(([place, keyword]) =>
    typeof keyword === 'string' && fold(keyword) === '' ? [`entry ${place} must not be empty`] : [],
  );
  // more is of no use to a reader
  const messages = [...(faults.get(field) ?? []), ...blank].slice(0, 100);
  if (messages.length > 0) faults.set(field, messages);
}

/** Notes modes and target groups that there are not, null included. */
export function noteCompetitorChoices(parameters: JsonObject, faults: Faults): void {
  const { mode, target_group } = parameters;
  if (mode !== undefined && !MODES.some((known) => known === mode))
    faults.set('parameters.mode', [`must be one of ${MODES.join(', ')}`]);
  if (target_group !== undefined && !TARGET_GROUPS.some((known) => known === target_group))
    faults.set('parameters.target_group', [`must be one of ${TARGET_GROUPS.join(', ')}`]);
}
