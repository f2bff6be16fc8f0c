import { SOMETHING_VISIBLE } from '#kernel/values/blank-text.js';
import { isJsonObject, type JsonObject } from '#kernel/values/json.js';
import { note, ofEntry, type Faults } from '#kernel/values/faults.js';
import { MODES, TARGET_GROUPS } from '#signals/domain/agents/agent-types.js';
import type { AgentPatch } from '#signals/domain/agents/change-agent.js';
import { isCalendarDate, readEnabled, readName, readParameters, whenSent } from '../../patch-fields.js';
import { readSchedule, SCHEDULE_FIELD } from '../schedule.body.js';

/** The body of a PUT as sent: it is checked only after the agent was found (OP-01). */
export type SentAgentPatch = { readonly [Field in keyof typeof AGENT_PATCH_FIELDS]?: unknown };

const MAX_NAME_LENGTH = 100;
const MAX_KEYWORD_LENGTH = 200;
const MAX_POSTS = 10_000;
const MOST_FAULTS = 100;

/** Parameters that narrow the reports of an agent; an empty array does not narrow. */
const NARROWING = [
  'job_titles',
  'seniority_levels',
  'company_domains_to_scrape',
  'target_persona',
  'target_persona_locations',
  'keywords_for_social_detection',
  'author_roles',
  'author_industries',
  'target_network_profiles',
] as const;
const NARROWING_TEXTS = { type: 'array', items: { type: 'string', maxLength: MAX_KEYWORD_LENGTH } };

/** The JSON Schema of the fields that `readAgentPatch` reads; the allowed parameters depend on the type. */
export const AGENT_PATCH_FIELDS = {
  name: { type: 'string', maxLength: MAX_NAME_LENGTH, pattern: SOMETHING_VISIBLE },
  enabled: { type: 'boolean' },
  parameters: {
    type: 'object',
    description: 'Merged key by key',
    properties: {
      tracking_keywords: {
        type: 'array',
        minItems: 1,
        items: { type: 'string', maxLength: MAX_KEYWORD_LENGTH, pattern: SOMETHING_VISIBLE },
      },
      start_date: { type: ['string', 'null'], format: 'date' },
      max_posts_to_scrape: { type: ['integer', 'null'], minimum: 1, maximum: MAX_POSTS },
      mode: { enum: MODES },
      target_group: { enum: TARGET_GROUPS },
      ...Object.fromEntries(NARROWING.map((key) => [key, NARROWING_TEXTS])),
      interested_by: {
        type: 'object',
        properties: { customers: { type: 'boolean' }, prospects: { type: 'boolean' } },
      },
    },
  },
  watchlist_id: { type: ['integer', 'null'], minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  watchlist_kind: { enum: ['company', 'profile', null] },
  schedule: SCHEDULE_FIELD,
};

/** Reads a patch and the faults of its form; fields with a fault are left out of the patch. */
export function readAgentPatch(sent: SentAgentPatch): {
  readonly patch: AgentPatch;
  readonly shapeFaults: Faults;
} {
  const faults: Faults = new Map();
  const read = <Value>(field: keyof SentAgentPatch, reader: (value: unknown) => Value): Value | undefined => {
    const value = whenSent(sent[field], reader);
    const isFaulty = [...faults.keys()].some((key) => key === field || key.startsWith(`${field}.`));
    return isFaulty ? undefined : value;
  };
  const patch = {
    name: read('name', (value) => readName(value, MAX_NAME_LENGTH, faults)),
    enabled: read('enabled', (value) => readEnabled(value, faults)),
    // Valid parameters are still checked by the rules, beside the faults of the others.
    parameters: whenSent(sent.parameters, (value) => readAgentParameters(value, faults)),
    watchlistId: read('watchlist_id', (value) => readListId(value, faults)),
    watchlistKind: read('watchlist_kind', (value) => readListKind(value, faults)),
    schedule: read('schedule', (value) => readSchedule(value, faults)),
  };
  return { patch, shapeFaults: faults };
}

function readAgentParameters(value: unknown, faults: Faults): JsonObject {
  const parameters = readParameters(value, faults);
  const isSent = (key: string): boolean => Object.hasOwn(parameters, key);
  if (isSent('tracking_keywords')) noteKeywords(parameters['tracking_keywords'], faults);
  for (const key of NARROWING.filter(isSent)) noteTexts(`parameters.${key}`, parameters[key], faults);
  if (isSent('interested_by')) noteInterest(parameters['interested_by'], faults);
  const startDate = parameters['start_date'];
  if (isSent('start_date') && startDate !== null && !isCalendarDate(startDate))
    note(faults, 'parameters.start_date', 'must be a date (YYYY-MM-DD)');
  const most = parameters['max_posts_to_scrape'];
  if (isSent('max_posts_to_scrape') && most !== null && !isCount(most))
    note(faults, 'parameters.max_posts_to_scrape', `must be an integer from 1 to ${MAX_POSTS}`);
  return parameters;
}

function noteKeywords(keywords: unknown, faults: Faults): void {
  const field = 'parameters.tracking_keywords';
  if (Array.isArray(keywords) && keywords.length === 0) note(faults, field, 'must contain at least 1 entry');
  noteTexts(field, keywords, faults);
}

function noteTexts(field: string, texts: unknown, faults: Faults): void {
  if (!Array.isArray(texts)) return note(faults, field, 'must be an array');
  for (const [place, text] of texts.entries()) {
    // more messages do not help a reader
    if ((faults.get(field)?.length ?? 0) >= MOST_FAULTS) return;
    if (typeof text !== 'string') note(faults, field, ofEntry(place, 'must be a string'));
    else if ([...text].length > MAX_KEYWORD_LENGTH)
      note(faults, field, ofEntry(place, `must contain at most ${MAX_KEYWORD_LENGTH} characters`));
  }
}

function noteInterest(interest: JsonObject[string], faults: Faults): void {
  const field = 'parameters.interested_by';
  if (!isJsonObject(interest)) return note(faults, field, 'must be an object');
  for (const side of ['customers', 'prospects'])
    if (!['boolean', 'undefined'].includes(typeof interest[side]))
      note(faults, `${field}.${side}`, 'must be true or false');
}

const isCount = (value: unknown): boolean =>
  Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= MAX_POSTS;

function readListId(value: unknown, faults: Faults): number | null {
  if (value === null) return null;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return value;
  note(faults, 'watchlist_id', 'must be an integer from 1 on, or null');
  return null;
}

function readListKind(value: unknown, faults: Faults): 'company' | 'profile' | null {
  if (value === null || value === 'company' || value === 'profile') return value;
  note(faults, 'watchlist_kind', 'must be one of company, profile, or null');
  return null;
}
